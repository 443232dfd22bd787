import { otherTenant } from '../other-tenant.ts';
import { startProduct, untilTrue, withEmail } from '../product.ts';
import { figure, type Workload } from '../workload.ts';

const OWN = 's to the first e-mail, same tenant';
const OTHER = 's to the first e-mail, another tenant';
const bound = { minimum: 2, goal: 0.5, lowerIsBetter: true } as const;

/** Share of the announcement that is drafted when each round begins, the warm-up first. */
const THERE = [0.05, 0.2, 0.5, 0.9, 1];
/** Time limit for drafting: a busy machine goes on with fewer rows and reports their number. */
const PATIENCE_MS = 25_000;

/**
 * The time to the first e-mail of a cancellation while the announcement of another event waits for everyone: one announcement,
 * several cancellations one after another. The run does not wait for its end: it stops the product and drops its database.
 */
export const urgent: Workload = {
  name: 'urgent',
  about: 'from a cancellation to its first e-mail while many others are drafted and wait, one e-mail worker',
  goals: [figure(OWN, bound), figure(OTHER, bound)],
  forms: { full: { count: Number(process.env.COUNT ?? 100_000), rounds: 4 }, short: { count: 5_000, rounds: 2 } },
  async open({ count }) {
    // Slower than drafting, or there would be no queue.
    const product = await startProduct(['relay', 'fan-out', 'email'], { EMAIL_RATE: '200' });
    const { database } = product;
    await product.chooseChannels('event.published', ['email']);
    const other = await otherTenant(product);
    // Created before the contacts, so that its own announcement has no rows.
    const quiet: string[] = [];
    for (const _ of THERE) quiet.push((await product.publishNew({ send_notifications: false })).id);
    await product.addContacts(count, withEmail);
    const deliveries = database.collection('deliveries');
    /** @returns seconds from the request to the row that says sent */
    const untilTold = async (event_id: string, at: number) => {
      const sent = { event_id, trigger: 'event.cancelled', channel: 'email', status: 'sent' } as never;
      const ms = await untilTrue(async () => (await deliveries.countDocuments(sent, { limit: 1 })) > 0, at, 60_000);
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
        const figures = { [OWN]: same, [OTHER]: another, 'rows of the announcement': await rows(), waiting };
        return { count: 2, ms: performance.now() - from, figures };
      },
      end: product.end,
    };
  },
};
