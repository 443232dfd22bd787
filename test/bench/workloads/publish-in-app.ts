import { personId, SCHOOL, startProduct, untilTrue } from '../product.ts';
import { repeat } from '../repeat.ts';
import { type Run, rateRatio, usedBetween, type Workload } from '../workload.ts';

const RAW = 'insertMany of as many inbox documents';
const BATCH = 1_000;
const IN_FLIGHT = 4;

/** Publish → last inbox message at a school that announces in-app only; one fan-out. */
export const publishInApp: Workload = {
  name: 'publish-in-app',
  about: 'from publish to the last inbox message at a school that announces in-app, one fan-out',
  goals: [rateRatio(RAW, { minimum: 0.18, goal: 0.3, recorded: 0.12 })],
  forms: { full: { count: Number(process.env.COUNT ?? 100_000), rounds: 3 }, short: { count: 5_000, rounds: 3 } },
  async open({ count }) {
    const product = await startProduct(['relay', 'fan-out']);
    await product.addContacts(count, () => ({}));
    await product.chooseChannels('event.published', ['in_app']);
    const deliveries = product.database.collection('deliveries');
    // Plain documents with what an inbox shows, in a collection with the index of an inbox and nothing else.
    const inbox = product.database.collection('bench_inbox' as never);
    await inbox.createIndex({ tenant_id: 1, school_id: 1, user_id: 1, created_at: -1, _id: -1 });
    const insert = async (): Promise<Run> => {
      const round = performance.now();
      const ms = await repeat(Math.ceil(count / BATCH), IN_FLIGHT, (batch) => {
        const at = batch * BATCH;
        const entries = Array.from({ length: Math.min(BATCH, count - at) }, (_, n) => entryOf(at + n, round));
        return inbox.insertMany(entries as never, { ordered: false });
      });
      return { count, ms };
    };
    return {
      raw: { [RAW]: insert },
      async ours() {
        const before = product.usage();
        const already = await deliveries.countDocuments();
        const { publishedAt } = await product.publishNew();
        // The estimate is cheap but includes uncommitted documents; the count is exact.
        const isDone = async () =>
          (await deliveries.estimatedDocumentCount()) - already >= count &&
          (await deliveries.countDocuments()) - already >= count;
        const ms = await untilTrue(isDone, publishedAt);
        return { count, ms, usage: usedBetween(before, product.usage()) };
      },
      end: product.end,
    };
  },
};

const entryOf = (n: number, round: number) => ({
  _id: `${String(n).padStart(20, '0')}${round}`.padEnd(64, '0'),
  ...SCHOOL,
  user_id: personId(n),
  event_id: '01900000-0000-7000-8000-000000000000',
  trigger: 'event.published',
  title: 'Bench',
  body: 'Saturday 21 December, all day. Everybody is welcome.',
  url: 'http://127.0.0.1:3000/events/01900000-0000-7000-8000-000000000000',
  created_at: new Date(),
  read_at: null,
});
