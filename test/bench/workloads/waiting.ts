import { startProduct, untilTrue, withEmail } from '../product.ts';
import { figure, usedBetween, type Workload } from '../workload.ts';

const REDIS = 'memory of Redis, MB';

/** Deliveries that wait without a worker: MongoDB stores them, and Redis has a limited number of wake-ups. */
export const waiting: Workload = {
  name: 'waiting',
  about: 'deliveries of one publication that wait for an e-mail worker: the memory of Redis',
  goals: [figure(REDIS, { minimum: 100, goal: 40, lowerIsBetter: true })],
  forms: { full: { count: Number(process.env.COUNT ?? 100_000), rounds: 1 }, short: { count: 1_000, rounds: 1 } },
  async open({ count }) {
    const product = await startProduct(['relay', 'fan-out']);
    await product.addContacts(count, withEmail);
    await product.chooseChannels('event.published', ['email']);
    const deliveries = product.database.collection('deliveries');
    return {
      raw: {},
      async ours() {
        const before = product.usage();
        const { publishedAt } = await product.publishNew();
        const areAllThere = async () => (await deliveries.estimatedDocumentCount()) >= count;
        const ms = await untilTrue(areAllThere, publishedAt, 1_800_000);
        const waits = await deliveries.countDocuments({ status: 'waiting' }, { hint: 'waiting' });
        const usage = usedBetween(before, product.usage());
        await deliveries.deleteMany({});
        return { count: waits, ms, usage, figures: { [REDIS]: usage.redis?.peakMb ?? Number.NaN } };
      },
      end: product.end,
    };
  },
};
