import { otherTenant } from '../other-tenant.ts';
import { clear, delaysOf, insertEvents, registerEach } from '../planned-events.ts';
import { type Product, SCHOOL, startProduct, untilTrue, withEmail } from '../product.ts';
import { figure, type Run, secondsAt, usedBetween, type Workload } from '../workload.ts';

const DAY = 86_400_000;
/** Time until the events start: all earlier work is finished by then. */
const AHEAD_MS = 3_000;
const CANCELLED = 's to the first e-mail of another tenant’s cancellation';

/** A usual full hour, in which nothing may be late. */
const FEW = 100;

/**
 * COUNT events that start at one moment with one person each: the delay until they are started and people are notified, and
 * the delay of another tenant's cancellation meanwhile.
 */
export const starts: Workload = {
  name: 'starts',
  about:
    'events that start at one moment with one person each, one worker of each kind, and another tenant’s cancellation',
  goals: [figure(CANCELLED, { minimum: 2, goal: 0.5, lowerIsBetter: true })],
  forms: { full: { count: Number(process.env.COUNT ?? 10_000), rounds: 1 }, short: { count: 300, rounds: 1 } },
  async open({ count }) {
    const product = await startProduct(['relay', 'fan-out', 'email', 'clock']);
    await product.addContacts(count, withEmail);
    const other = await otherTenant(product);
    return {
      raw: {},
      ours: () => run(product, other, count),
      also: { [`${FEW} events`]: () => run(product, other, FEW) },
      end: product.end,
    };
  },
};

async function run(product: Product, other: Awaited<ReturnType<typeof otherTenant>>, count: number): Promise<Run> {
  const { database } = product;
  const concert = await other.concert();
  const far = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + DAY);
  const events = await insertEvents(database, count, far, { current_attendees: 1 });
  await registerEach(database, events, 1);
  const before = product.usage();
  const starts_at = new Date(database.clock.now().getTime() + AHEAD_MS);
  await database.collection('events').updateMany({ ...SCHOOL }, { $set: { starts_at } as never });
  const from = performance.now();
  const running = database.collection('events').find({ status: 'in_progress', deleted_at: null } as never);
  await untilTrue(() => running.clone().hint('due_to_complete').limit(1).hasNext(), from);
  const cancelled_at = Date.now();
  await other.cancel(concert);
  const sent = { trigger: 'event.starting', channel: 'in_app', status: 'sent' };
  // Polling every 20 ms must not cost the database more than the work.
  const deliveries = database.collection('deliveries');
  await untilTrue(async () => (await deliveries.estimatedDocumentCount()) >= count, from, 1_800_000);
  await untilTrue(async () => (await deliveries.countDocuments(sent as never)) >= count, from);
  const usage = usedBetween(before, product.usage());
  const after = (name: 'facts' | 'deliveries', filter: object, field: string, since: number) =>
    delaysOf(database, name, filter, field, () => since);
  const started = await after('facts', { type: 'event.started' }, 'occurred_at', starts_at.getTime());
  const notified = await after('deliveries', sent, 'settled_at', starts_at.getTime());
  const storm = { event_id: concert, trigger: 'event.cancelled', channel: 'email' };
  const [cancelled = Number.NaN] = await after('deliveries', storm, 'settled_at', cancelled_at);
  const said = await after('facts', { type: 'event.cancelled' }, 'occurred_at', cancelled_at);
  const drafted = await after('deliveries', storm, 'created_at', cancelled_at);
  await clear(database);
  return {
    count,
    ms: started.at(-1) ?? Number.NaN,
    usage,
    figures: {
      'started p50 s': secondsAt(started, 0.5),
      'started p99 s': secondsAt(started, 0.99),
      'notified p50 s': secondsAt(notified, 0.5),
      'notified p99 s': secondsAt(notified, 0.99),
      [CANCELLED]: cancelled / 1_000,
      'of these until its fact': secondsAt(said, 1),
      'until it was drafted': secondsAt(drafted, 1),
    },
  };
}
