import { OPEN_STATUSES } from '../../../src/notifications/delivery.ts';
import { SCHOOL, startProduct, untilTrue, withEmail } from '../product.ts';
import { cpuPerMessageOf, figure, type Run, usedBetween, type Workload } from '../workload.ts';

const FEW = 1_000;
/** Number of small publications, so that their CPU can be measured. */
const TIMES = 5;
const COST = 'CPU per message ÷ the same for 1,000';
const SMALL = 'small';
const LEFT_OUT = new Set(['smtp sink']);

/** The cost of a message, including the database, when a hundred or a thousand times as many are sent. */
export const growth: Workload = {
  name: 'growth',
  about: 'e-mails of one publication, compared with publications for 1,000; more workers of each kind',
  goals: [figure(COST, { minimum: 1.3, goal: 1, lowerIsBetter: true })],
  forms: {
    full: { count: Number(process.env.COUNT ?? 100_000), rounds: Number(process.env.ROUNDS ?? 1) },
    short: { count: 5_000, rounds: 1 },
  },
  async open({ count }) {
    const product = await startProduct(['relay', 'fan-out', 'email']);
    await product.addContacts(count, withEmail);
    await product.addContacts(FEW, (n) => ({ ...withEmail(n), school_id: SMALL }));
    const deliveries = product.database.collection('deliveries');
    const unsettled = { channel: 'email', status: { $in: OPEN_STATUSES } } as never;
    const publish = async (people: number, school_id: string): Promise<number> => {
      const already = product.sinkCount();
      const { publishedAt } = await product.publishNew({}, { ...SCHOOL, school_id });
      const ms = await untilTrue(async () => product.sinkCount() - already >= people, publishedAt, 1_800_000);
      await untilTrue(async () => (await deliveries.countDocuments(unsettled, { limit: 1 })) === 0, publishedAt);
      return ms;
    };
    /** Seconds of CPU by all processes of ours and MongoDB, for each message. */
    const costOf = async (work: () => Promise<Omit<Run, 'usage'>>): Promise<Run & { cost: number }> => {
      const before = product.usage();
      const run = await work();
      const usage = usedBetween(before, product.usage());
      await deliveries.deleteMany({});
      return { ...run, usage, cost: cpuPerMessageOf({ ...run, usage }, LEFT_OUT) };
    };
    const large = () => costOf(async () => ({ count, ms: await publish(count, SCHOOL.school_id) }));
    const withWorkers = async (workers: number): Promise<Run> => {
      const have = product.processes.filter(({ name }) => name === 'email').length;
      for (let n = have; n < workers; n += 1) {
        await product.start('fan-out');
        await product.start('email');
      }
      const { cost, usage: _, ...run } = await large();
      return { ...run, figures: { 'CPU s per 1000': cost * 1_000 } };
    };
    return {
      raw: {},
      async ours() {
        const few = await costOf(async () => {
          let ms = 0;
          for (let n = 0; n < TIMES; n += 1) ms += await publish(FEW, SMALL);
          return { count: FEW * TIMES, ms };
        });
        const { cost, ...run } = await large();
        return { ...run, figures: { [COST]: cost / few.cost } };
      },
      also: { '2 workers of each kind': () => withWorkers(2), '4 workers of each kind': () => withWorkers(4) },
      end: product.end,
    };
  },
};
