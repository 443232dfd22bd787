import { otherTenant } from './other-tenant.ts';
import { startProduct, untilTrue, withEmail } from './product.ts';
import { figure, type Workload } from './workload.ts';

const OWN = 's to the first word, same tenant';
const OTHER = 's to the first word, another tenant';
const bound = { floor: 2, goal: 0.5, lowerIsBetter: true } as const;

/** How much of the flood is there when each round begins, the one that warms up first: from the midst of it to all of it. */
const THERE = [0.05, 0.2, 0.5, 0.9, 1];
/** A busy machine makes fewer rows: what there is by then is flood enough, and is told. */
const PATIENCE_MS = 25_000;

/**
 * How soon the first word of a cancellation leaves while the announcement of another event waits for everybody: one flood,
 * and in it a cancellation after the other. Nobody waits for its end: the product is stopped and its database thrown away.
 */
export const urgent: Workload = {
  name: 'urgent',
  about: 'from a cancellation to its first e-mail while many others are drafted and wait, one e-mail worker',
  goals: [figure(OWN, bound), figure(OTHER, bound)],
  forms: { full: { count: Number(process.env.COUNT ?? 100_000), rounds: 4 }, short: { count: 5_000, rounds: 2 } },
  async open({ count }) {
    // Slower than rows are made, or there would be no queue.
    const product = await startProduct(['relay', 'fan-out', 'email'], { EMAIL_RATE: '200' });
    const { database } = product;
    await product.tellBy('event.published', ['email']);
    const other = await otherTenant(product);
    // Made before there is anybody whom their announcement would have to leave out, row by row.
    const quiet: string[] = [];
    for (const _ of THERE) quiet.push((await product.publishNew({ send_notifications: false })).id);
    await product.addContacts(count, withEmail);
    const deliveries = database.collection('deliveries');
    /** @returns seconds from the request to the row that says sent */
    const untilTold = async (event_id: string, at: number) => {
      const told = { event_id, trigger: 'event.cancelled', channel: 'email', status: 'sent' } as never;
      const ms = await untilTrue(async () => (await deliveries.countDocuments(told, { limit: 1 })) > 0, at, 60_000);
      return ms / 1_000;
    };
    let flood: string | undefined;
    let round = 0;
    return {
      raw: {},
      async ours() {
        const own = quiet.pop() ?? '';
        await product.register(own, 1);
        const concert = await other.concert();
        flood ??= (await product.publishNew()).id;
        const event_id = flood;
        const enough = count * (THERE[round] ?? 1);
        round += 1;
        const rows = () => deliveries.countDocuments({ event_id, channel: 'email' } as never);
        const since = performance.now();
        const isOver = () => performance.now() - since > PATIENCE_MS;
        await untilTrue(async () => isOver() || (await rows()) >= enough, since);
        const from = performance.now();
        const same = await untilTold(own, await product.cancel(own, { notify: true }));
        const another = await untilTold(concert, await other.cancel(concert));
        const waiting = await deliveries.countDocuments({ channel: 'email', status: 'waiting' } as never);
        const figures = { [OWN]: same, [OTHER]: another, 'rows of the flood': await rows(), waiting };
        return { count: 2, ms: performance.now() - from, figures };
      },
      end: product.end,
    };
  },
};
