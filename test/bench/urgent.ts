import { setTimeout as delay } from 'node:timers/promises';
import { startProduct, untilTrue } from './product.ts';
import { figure, type Workload } from './workload.ts';

const SECONDS = 's to the first urgent message';

/** How soon the first word of a cancellation leaves while the announcement of another event waits for everybody. */
export const urgent: Workload = {
  name: 'urgent',
  about: 'from a cancellation to its first e-mail while many others wait, one e-mail worker',
  goals: [figure(SECONDS, { floor: 2, goal: 0.5, lowerIsBetter: true })],
  forms: { full: { count: Number(process.env.COUNT ?? 100_000), rounds: 3 }, short: { count: 5_000, rounds: 1 } },
  async open({ count }) {
    const product = await startProduct(['relay', 'fan-out', 'email']);
    await product.addContacts(count, (n) => ({ email: `person-${n}@people.example` }));
    const deliveries = product.database.collection('deliveries');
    const others = { channel: 'email', trigger: 'event.published' } as never;
    const quietEvent = async () => {
      const { id } = await product.publishNew({ send_notifications: false });
      await product.register(id, 1);
      return id;
    };
    /** @returns milliseconds from the request to the row that says sent */
    const cancelled = async (event_id: string) => {
      const at = await product.cancel(event_id, { notify: true });
      const told = { event_id, trigger: 'event.cancelled', channel: 'email', status: 'sent' } as never;
      return untilTrue(async () => (await deliveries.countDocuments(told, { limit: 1 })) > 0, at);
    };
    return {
      raw: {},
      async ours() {
        const [early, late] = [await quietEvent(), await quietEvent()];
        const flood = await product.publishNew();
        const rows = async () => deliveries.countDocuments(others);
        // While the rows of the flood are being made, and when nearly all of them wait.
        await untilTrue(async () => (await rows()) >= count / 20, performance.now());
        const first = await cancelled(early);
        await untilTrue(async () => (await rows()) >= count * 0.9, performance.now());
        const ms = await cancelled(late);
        const behind = await deliveries.countDocuments({ channel: 'email', status: 'waiting' } as never);
        // What is left of the flood tells nothing more: without its fact no row is made, without a row nothing is sent.
        await product.database.collection('facts').deleteMany({ event_id: flood.id } as never);
        await untilTrue(async () => {
          await deliveries.deleteMany({});
          await delay(SETTLED_MS);
          return (await deliveries.countDocuments()) === 0;
        }, performance.now());
        const figures = {
          [SECONDS]: Math.max(first, ms) / 1_000,
          'while rows are made, s': first / 1_000,
          waiting: behind,
        };
        return { count: 1, ms, figures };
      },
      end: product.end,
    };
  },
};

/** A fan-out looks for its fact more often. */
const SETTLED_MS = 2_000;
