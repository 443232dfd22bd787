import { newId } from '../../../src/core/ids.ts';
import { clear, insertEvents, planAll } from '../planned-events.ts';
import { SCHOOL, startProduct } from '../product.ts';
import { rateRatio, type Workload } from '../workload.ts';

const RAW = 'insertMany of as many documents';
const BATCH = 1_000;
const OFFSETS = [15, 30, 45, 60, 90, 120, 1440, 2880, 4320, 10080];
/** So far ahead that nothing is due while it is measured. */
const FAR_MS = 30 * 86_400_000;
/** Events whose plans are made from one list; their rows stay. */
const PART = 10_000;

/** Plans reminders, ten for each event, and looks at what Redis and the processes hold while all of them wait. */
export const plan: Workload = {
  name: 'plan',
  about: 'planned reminders written, in the transactions of their events; and the memory while they wait',
  goals: [rateRatio(RAW, { minimum: 0.3, goal: 0.6 })],
  forms: { full: { count: Number(process.env.COUNT ?? 1_000_000), rounds: 1 }, short: { count: 10_000, rounds: 1 } },
  async open({ count }) {
    const product = await startProduct(['relay', 'clock']);
    const { database } = product;
    const rows = database.collection('reminders');
    const starts_at = new Date(Math.ceil((Date.now() + FAR_MS) / 60_000) * 60_000);
    return {
      raw: {
        async [RAW]() {
          let ms = 0;
          for (let at = 0; at < count; at += BATCH) {
            const documents = Array.from({ length: Math.min(BATCH, count - at) }, (_, n) => rowLike(at + n, starts_at));
            const from = performance.now();
            await rows.insertMany(documents as never, { ordered: false });
            ms += performance.now() - from;
          }
          await clear(database);
          return { count, ms };
        },
      },
      async ours() {
        await clear(database);
        let ms = 0;
        let planned = 0;
        for (let left = count / OFFSETS.length; left > 0; left -= PART) {
          const events = await insertEvents(database, Math.min(PART, left), starts_at, {
            reminders: OFFSETS.map((offset) => ({ type: 'email', offset })),
          });
          const from = performance.now();
          planned += await planAll(database, events);
          ms += performance.now() - from;
        }
        const usage = product.usage();
        const redis = usage.redis?.peakMb ?? Number.NaN;
        return { count: planned, ms, usage, figures: { 'Redis peak MB, all planned': redis } };
      },
      end: product.end,
    };
  },
};

/** A document of the same shape and size, under the same indexes. */
const rowLike = (n: number, due_at: Date) => ({
  _id: String(n).padStart(64, '0'),
  ...SCHOOL,
  event_id: newId(),
  type: 'email',
  offset: 60,
  schedule_version: 1,
  due_at,
  expires_at: due_at,
  status: 'planned',
});
