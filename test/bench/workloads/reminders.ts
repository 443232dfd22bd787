import { AHEAD_MS } from '../../../src/reminders/raise-due.ts';
import { clear, delaysOf, insertEvents, planAll, registerEach } from '../planned-events.ts';
import { type Product, startProduct, untilTrue, withEmail } from '../product.ts';
import { figure, type Run, secondsAt, usedBetween, type Workload } from '../workload.ts';

const HOUR = 3_600_000;
/** Time between planning and due time: long enough to prepare the messages. */
const BEFORE_MS = AHEAD_MS + 3_000;

/** People of one event: a class. */
const CLASS = 25;

/**
 * COUNT reminders due in one second, for events with a class of people each: the delay until the e-mails are accepted. The full
 * form adds the hardest shape, events with one person each, and a second e-mail worker.
 */
export const reminders: Workload = {
  name: 'reminders',
  about: `reminders due in the same second, ${CLASS} people an event, one worker of each kind: from the moment due to the row that says sent`,
  goals: [figure('late p99 s', { minimum: 4, goal: 2, lowerIsBetter: true })],
  forms: {
    full: { count: Number(process.env.COUNT ?? 10_000), rounds: Number(process.env.ROUNDS ?? 3) },
    short: { count: 500, rounds: 1 },
  },
  async open({ count }) {
    const product = await startProduct(['relay', 'fan-out', 'email', 'clock']);
    await product.addContacts(count, withEmail);
    return {
      raw: {},
      ours: () => run(product, count, CLASS),
      also: {
        'one person an event': () => run(product, count, 1),
        async 'a second e-mail worker'() {
          await product.start('email');
          return run(product, count, CLASS);
        },
      },
      end: product.end,
    };
  },
};

async function run(product: Product, count: number, people: number): Promise<Run> {
  const { database } = product;
  const far = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 24 * HOUR);
  const events = await insertEvents(database, Math.ceil(count / people), far, {
    reminders: [{ type: 'email', offset: 60 }],
    current_attendees: people,
  });
  await registerEach(database, events, people);
  await planAll(database, events);
  const before = product.usage();
  const already = product.sinkCount();
  // All events exist; move all due times to one moment.
  const due_at = new Date(database.clock.now().getTime() + BEFORE_MS);
  const starts_at = new Date(due_at.getTime() + HOUR);
  await database.collection('events').updateMany({}, { $set: { starts_at } as never });
  await database.collection('reminders').updateMany({}, { $set: { due_at, expires_at: starts_at } as never });
  const sent = { trigger: 'reminder.due', status: 'sent' } as never;
  const from = performance.now();
  const rows = database.collection('deliveries');
  // Polling the database every 20 ms would cost more than the work itself.
  await untilTrue(async () => product.sinkCount() - already >= count, from);
  await untilTrue(async () => (await rows.countDocuments(sent)) >= count, from);
  const { raised, drafted, sent: late } = await lateness(database);
  const usage = usedBetween(before, product.usage());
  await clear(database);
  return {
    count,
    ms: (late.at(-1) ?? 0) + 1,
    usage,
    figures: {
      'late p50 s': secondsAt(late, 0.5),
      'late p99 s': secondsAt(late, 0.99),
      'late max s': secondsAt(late, 1),
      'raised p99 s': secondsAt(raised, 0.99),
      'drafted p99 s': secondsAt(drafted, 0.99),
    },
  };
}

/** Milliseconds from the due time of each reminder to its fact, its row and its result; each list sorted. */
async function lateness(database: Product['database']) {
  const reminders = await database.collection<{ event_id: string; due_at: Date }>('reminders').find({}).toArray();
  const dueOf = new Map(reminders.map(({ event_id, due_at }) => [event_id, due_at.getTime()]));
  const after = (name: 'facts' | 'deliveries', filter: object, field: string) =>
    delaysOf(database, name, filter, field, (event_id) => dueOf.get(event_id) ?? 0);
  const sent = { trigger: 'reminder.due', status: 'sent' };
  return {
    raised: await after('facts', { type: 'reminder.due' }, 'occurred_at'),
    drafted: await after('deliveries', sent, 'created_at'),
    sent: await after('deliveries', sent, 'settled_at'),
  };
}
