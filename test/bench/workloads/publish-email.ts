import { OPEN_STATUSES } from '../../../src/notifications/delivery.ts';
import type { JobPerMessage } from '../baselines/job-per-message.ts';
import { startPart } from '../part.ts';
import { startProduct, untilTrue, withEmail } from '../product.ts';
import { cpuRatio, type Run, rateRatio, usedBetween, type Workload } from '../workload.ts';

const RAW = 'nodemailer’s pool, constant raw messages';
const NAIVE = 'composing, one job per recipient';
/** The slowest baseline: a quarter of the messages is enough to measure its CPU per message. */
const NAIVE_PART = 4;

/**
 * Publish → last e-mail accepted by the sink, with every row and promise and one worker of each kind. The school announces
 * by e-mail only, so that one message is one row; the full form adds a run on every channel.
 */
export const publishEmail: Workload = {
  name: 'publish-email',
  about: 'from publish to the last e-mail at a school that announces by e-mail, one e-mail worker',
  // The writes of `sending` and of the result take more than the minimum leaves.
  goals: [
    rateRatio(RAW, { minimum: 0.45, goal: 0.7, recorded: 0.2 }),
    cpuRatio(NAIVE, { minimum: 1 / 4, goal: 1 / 8, recorded: 1 / 2 }),
  ],
  forms: { full: { count: Number(process.env.COUNT ?? 10_000), rounds: 3 }, short: { count: 1_000, rounds: 3 } },
  async open({ count }) {
    const product = await startProduct(['relay', 'fan-out', 'email']);
    const raw = startPart<{ count: number }>('./baselines/raw-mail.ts', product.env);
    const naive = startPart<JobPerMessage>('./baselines/job-per-message.ts', product.env);
    await product.addContacts(count, withEmail);
    const deliveries = product.database.collection('deliveries');
    const unfinished = { channel: 'email', status: { $in: OPEN_STATUSES } } as never;
    const publish = async (): Promise<Run> => {
      const before = product.usage();
      const already = product.sinkCount();
      const { publishedAt } = await product.publishNew();
      const ms = await untilTrue(async () => product.sinkCount() - already >= count, publishedAt);
      const isFinished = async () => (await deliveries.countDocuments(unfinished, { limit: 1 })) === 0;
      const finished = await untilTrue(isFinished, publishedAt);
      const usage = usedBetween(before, product.usage());
      return { count, ms, usage, figures: { 'all rows finished after ms': finished } };
    };
    await product.chooseChannels('event.published', ['email']);
    return {
      raw: { [RAW]: () => raw.run({ count }), [NAIVE]: () => naive.run({ count: Math.ceil(count / NAIVE_PART) }) },
      ours: publish,
      also: {
        async 'e-mail, push and in-app rows for everyone'() {
          await product.chooseChannels('event.published', null);
          return publish();
        },
      },
      async end() {
        raw.stop();
        naive.stop();
        await product.end();
      },
    };
  },
};
