import { startServer } from '../child.ts';
import { SCHOOL, startProduct, untilTrue, withEmail } from '../product.ts';
import { type Run, rateRatio, type Workload } from '../workload.ts';

const ONE = '1 process';
const TWO = '2 processes';
/** One person in this number belongs to the grade of the announcement, so that processes wait more than they compute. */
const GRADES = 10;
const GRADE = 'grade-6';
/** `DELAY_MS=40` leaves two cores idle most of the time, also with four processes. */
const DELAY_MS = Number(process.env.DELAY_MS ?? 5);

/**
 * Fan-out of one announcement by several processes that are some milliseconds away from MongoDB. Each works on one part at
 * a time, so that it waits for one answer at a time.
 */
export const fanOutScale: Workload = {
  name: 'fan-out-scale',
  about: `an announcement to one of ${GRADES} grades, drafted by 4 fan-out processes, MongoDB ${DELAY_MS} ms away`,
  goals: [rateRatio(ONE, { minimum: 3, goal: 3.8 }), rateRatio(TWO, { minimum: 1.5, goal: 1.9 })],
  forms: { full: { count: Number(process.env.COUNT ?? 80_000), rounds: 2 }, short: null },
  async open({ count }) {
    const product = await startProduct(['relay']);
    await product.chooseChannels('event.published', ['email', 'in_app']);
    await product.addContacts(count, (n) => ({
      ...withEmail(n),
      ...(n % GRADES === 0 ? { grade_level_ids: [GRADE] } : {}),
    }));
    const few = { ...SCHOOL, school_id: 'warm-up' };
    await product.addContacts(2_000, (n) => ({ ...withEmail(n), ...few }));
    const { port } = new URL(product.env.MONGODB_URI?.replace('mongodb:', 'http:') ?? '');
    const proxy = await startServer('./delay-proxy.ts', { args: [port, String(DELAY_MS)] });
    const env = { MONGODB_URI: `mongodb://${proxy.url}/bench?directConnection=true`, FAN_OUT_PARTS: '1' };
    const facts = product.database.collection('facts');
    const isProcessed = async (event_id: string) =>
      (await facts.countDocuments({ event_id, type: 'event.published', relay: { $exists: true } })) === 0;

    const draftedBy = async (workers: number): Promise<Run> => {
      const started = await Promise.all(Array.from({ length: workers }, () => product.start('fan-out', env)));
      for (let n = 0; n < workers; n += 1) {
        const warmUp = await product.publishNew({}, few);
        await untilTrue(() => isProcessed(warmUp.id), warmUp.publishedAt);
      }
      const { id, publishedAt } = await product.publishNew({ grade_level_ids: [GRADE] });
      const ms = await untilTrue(() => isProcessed(id), publishedAt);
      const rows = await product.database.collection('deliveries').countDocuments({ event_id: id });
      const expected = 2 * Math.ceil(count / GRADES);
      if (rows !== expected) throw new Error(`${rows} rows instead of ${expected}`);
      await Promise.all(started.map((one) => one.stop()));
      await product.database.collection('deliveries').deleteMany({});
      return { count, ms };
    };
    return {
      raw: { [ONE]: () => draftedBy(1), [TWO]: () => draftedBy(2) },
      ours: () => draftedBy(4),
      async end() {
        await product.end();
        proxy.stop();
      },
    };
  },
};
