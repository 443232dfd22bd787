import { storesOn } from '../../src/app/stores.ts';
import { chunksOf } from '../../src/core/groups.ts';
import { newId } from '../../src/core/ids.ts';
import { wallTimeOf } from '../../src/core/zoned-time.ts';
import type { SchoolEvent } from '../../src/events/event.ts';
import { instantsOf } from '../../src/events/rules/schedule.ts';
import type { Database } from '../../src/mongo/database.ts';
import { eventRowOf } from '../../src/mongo/events/event-row.ts';
import { syncPlans } from '../../src/reminders/plan-reminders.ts';
import { anEvent, aRegistration } from '../support/builders.ts';
import { personId, SCHOOL } from './product.ts';

/** Events in one transaction. */
const BATCH = 250;

/** Stores published events that all begin in one minute, without planned reminders. */
export async function insertEvents(
  database: Database,
  count: number,
  starts_at: Date,
  more: Partial<SchoolEvent>,
): Promise<SchoolEvent[]> {
  const { date, time } = wallTimeOf(starts_at, 'UTC');
  const end = wallTimeOf(new Date(starts_at.getTime() + 86_400_000), 'UTC');
  const dates = { start_date: date, start_time: time, end_date: end.date, end_time: end.time, timezone: 'UTC' };
  const made = Array.from({ length: count }, (_, n) => {
    const event = anEvent({ ...SCHOOL, ...dates, title: `Bench ${n}`, ...more, id: newId() });
    return { ...event, ...instantsOf(event) };
  });
  await insertAll(database, 'events', made.map(eventRowOf));
  return made;
}

/** Plans the reminders of these events as a change of theirs would. @returns how many */
export async function planAll(database: Database, events: readonly SchoolEvent[]): Promise<number> {
  const stores = storesOn(database);
  let planned = 0;
  for (const some of chunksOf(events, BATCH)) planned += await stores.transact((tx) => syncPlans(stores, some, tx));
  return planned;
}

/** Registers this many people for each event, each person for one event. */
export async function registerEach(database: Database, events: readonly SchoolEvent[], people: number): Promise<void> {
  const seats = events.flatMap((event) => Array.from({ length: people }, () => event));
  const rows = seats.map((event, n) => {
    const whose = { event_id: event.id, user_id: personId(n) };
    const { id, ...registration } = aRegistration({ ...SCHOOL, id: newId(), ...whose });
    return { _id: id, ...registration, active: true };
  });
  await insertAll(database, 'registrations', rows);
}

async function insertAll(database: Database, name: 'events' | 'registrations', rows: readonly object[]): Promise<void> {
  for (const some of chunksOf(rows, 1_000))
    await database.collection(name).insertMany(some as never, { ordered: false });
}

/** Milliseconds from `since` to a date of each row that fits, sorted. */
export async function delaysOf(
  database: Database,
  name: 'facts' | 'deliveries',
  filter: object,
  field: string,
  since: (event_id: string) => number,
): Promise<number[]> {
  const rows = await database
    .collection<Record<string, unknown>>(name)
    .find(filter as never)
    .toArray();
  return rows.map((row) => (row[field] as Date).getTime() - since(String(row.event_id))).sort((a, b) => a - b);
}

export async function clear(database: Database): Promise<void> {
  for (const name of ['events', 'registrations', 'reminders', 'facts', 'deliveries'] as const)
    await database.collection(name).deleteMany({});
}
