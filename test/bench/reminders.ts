import { clear, insertEvents, planAll, registerOneEach } from './planned-events.ts';
import { startProduct, untilTrue } from './product.ts';
import { figure, usedBetween, type Workload } from './workload.ts';

const HOUR = 3_600_000;
/** What is planned is due so much later: everything is at rest by then. */
const AHEAD_MS = 3_000;

/** So many events with one person each, whose reminders are all due in one second: how late the e-mails are accepted. */
export const reminders: Workload = {
  name: 'reminders',
  about: 'reminders due in the same second, one worker of each kind: from the moment due to the row that says sent',
  goals: [figure('late p99 s', { floor: 4, goal: 2, lowerIsBetter: true })],
  forms: { full: { count: Number(process.env.COUNT ?? 10_000), rounds: 3 }, short: { count: 500, rounds: 1 } },
  async open({ count }) {
    const product = await startProduct(['relay', 'fan-out', 'email', 'clock']);
    await product.addContacts(count, (n) => ({ email: `person-${n}@people.example` }));
    const { database } = product;
    return {
      raw: {},
      async ours() {
        const far = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 24 * HOUR);
        const events = await insertEvents(database, count, far, {
          reminders: [{ type: 'email', offset: 60 }],
          current_attendees: 1,
        });
        await registerOneEach(database, events);
        await planAll(database, events);
        const before = product.usage();
        // Now that all is there: the whole lot moves to one moment.
        const due_at = new Date(database.clock.now().getTime() + AHEAD_MS);
        const starts_at = new Date(due_at.getTime() + HOUR);
        await database.collection('events').updateMany({}, { $set: { starts_at } as never });
        await database.collection('reminders').updateMany({}, { $set: { due_at, expires_at: starts_at } as never });
        const sent = { trigger: 'reminder.due', status: 'sent' } as never;
        const from = performance.now();
        const rows = database.collection('deliveries');
        await untilTrue(async () => (await rows.countDocuments(sent)) >= count, from);
        const late = await lateness(database);
        const usage = usedBetween(before, product.usage());
        await clear(database);
        const of = (part: number) =>
          (late[Math.min(late.length - 1, Math.floor(late.length * part))] ?? Number.NaN) / 1_000;
        return {
          count,
          ms: (late.at(-1) ?? 0) + 1,
          usage,
          figures: { 'late p50 s': of(0.5), 'late p99 s': of(0.99), 'late max s': of(1) },
        };
      },
      end: product.end,
    };
  },
};

/** Of each message, milliseconds from the moment its reminder was due; in order. */
async function lateness(database: Awaited<ReturnType<typeof startProduct>>['database']): Promise<number[]> {
  const reminders = await database.collection<{ event_id: string; due_at: Date }>('reminders').find({}).toArray();
  const dueOf = new Map(reminders.map(({ event_id, due_at }) => [event_id, due_at.getTime()]));
  const rows = database.collection<{ event_id: string; settled_at: Date }>('deliveries');
  const sent = await rows.find({ trigger: 'reminder.due', status: 'sent' } as never).toArray();
  return sent.map((row) => row.settled_at.getTime() - (dueOf.get(row.event_id) ?? 0)).sort((a, b) => a - b);
}
