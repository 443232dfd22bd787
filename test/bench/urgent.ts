import { startProduct, untilTrue } from './product.ts';
import { figure, type Workload } from './workload.ts';

/** E-mails of bulk that Redis holds. */
const QUEUED = 4_000;
const SECONDS = 's to the first urgent message';

/** How soon the first word of a cancellation leaves while the announcement of another event goes out to everybody. */
export const urgent: Workload = {
  name: 'urgent',
  about: 'from a cancellation to its first e-mail while many others wait, one e-mail worker',
  goals: [figure(SECONDS, { floor: 2, goal: 0.5, lowerIsBetter: true })],
  forms: { full: { count: Number(process.env.COUNT ?? 100_000), rounds: 3 }, short: { count: 5_000, rounds: 1 } },
  async open({ count }) {
    const product = await startProduct(['relay', 'fan-out', 'email']);
    await product.addContacts(count, (n) => ({ email: `person-${n}@people.example` }));
    const deliveries = product.database.collection('deliveries');
    const waiting = { channel: 'email', status: 'waiting' } as never;
    return {
      raw: {},
      async ours() {
        const concert = await product.publishNew({ send_notifications: false });
        await product.register(concert.id, 1);
        const already = await product.sinkCount();
        await product.publishNew();
        // As many have rows as are queued before the fan-out waits for room.
        const others = { channel: 'email', trigger: 'event.published' } as never;
        const rows = async () => (await deliveries.countDocuments(others)) >= Math.min(count / 2, QUEUED);
        await untilTrue(rows, performance.now());
        const cancelledAt = await product.cancel(concert.id, { notify: true });
        const told = { event_id: concert.id, trigger: 'event.cancelled', channel: 'email', status: 'sent' } as never;
        const isTold = async () => (await deliveries.countDocuments(told, { limit: 1 })) > 0;
        const ms = await untilTrue(isTold, cancelledAt);
        const behind = await deliveries.countDocuments(waiting);
        await untilTrue(async () => (await product.sinkCount()) - already > count, cancelledAt, 1_800_000);
        await deliveries.deleteMany({});
        return { count: 1, ms, figures: { [SECONDS]: ms / 1_000, 'still waiting': behind } };
      },
      end: product.end,
    };
  },
};
