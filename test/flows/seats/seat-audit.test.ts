import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../../../src/cli/audit.ts';
import type { SchoolEvent } from '../../../src/events/event.ts';
import { seatAuditStore } from '../../../src/mongo/registrations/registration-store.ts';
import { register } from '../../../src/registrations/register.ts';
import { auditSeats } from '../../../src/registrations/seats/audit.ts';
import { promoteWaiting, resumeWaitlists } from '../../../src/registrations/seats/promote.ts';
import { emptyDatabaseUri } from '../../support/database.ts';
import { manager, openSeats, person, type Seats } from '../../support/seats.ts';

let seats: Seats;
let uri: string;
beforeAll(async () => {
  uri = await emptyDatabaseUri();
  seats = await openSeats(uri);
});
afterAll(() => seats?.database.close());

const deps = () => ({ ...seats, seatAudit: seatAuditStore(seats.database) });
const round = (repair = true) => auditSeats(deps(), { after: null, limit: 1_000, repair });

async function withPeople(capacity: number, people: number): Promise<SchoolEvent> {
  const event = await seats.given({ max_attendees: capacity, waitlist_enabled: true });
  const eventQueues = seats.eventQueues();
  const sign = (n: number) => register({ ...seats, eventQueues }, person(`p${n}`), event, { kind: 'attendee' });
  await Promise.all(Array.from({ length: people }, (_, n) => sign(n)));
  return event;
}

const set = (id: string, change: Partial<SchoolEvent>) =>
  seats.database.collection('events').updateOne({ _id: id }, { $set: change } as never);

async function raise(id: string, max_attendees: number): Promise<void> {
  const event = await seats.eventOf(id);
  const raised = { ...event, max_attendees, version: event.version + 1 };
  await seats.transact((tx) => seats.events.replaceMany([{ before: event, after: raised }], tx));
}

test('the audit changes nothing if seats agree with registrations', async () => {
  const { id } = await withPeople(2, 5);
  const before = await seats.eventOf(id);
  expect((await round()).findings).toEqual([]);
  expect(await seats.eventOf(id)).toEqual(before);
});

test.each<[string, Partial<SchoolEvent>, string[]]>([
  ['a seat too many', { current_attendees: 3 }, ['current_attendees is 3, not 2']],
  ['an empty waitlist', { waitlisted: 0 }, ['waitlisted is 0, not 3']],
  ['no one confirmed', { confirmed: 0, checked_in: 1 }, ['confirmed is 0, not 2', 'checked_in is 1, not 0']],
  [
    'a number that would be given out twice',
    { last_waitlist_number: 1 },
    ['last_waitlist_number is 1, but 3 was given out'],
  ],
])('counters that say %s are named and set right', async (_what, wrong, faults) => {
  const { id } = await withPeople(2, 5);
  const right = await seats.eventOf(id);
  await set(id, wrong);
  expect((await round(false)).findings).toEqual([{ event_id: id, faults, repaired: false }]);
  expect((await audit(uri, false)).faulty).toBe(1);
  expect((await round()).findings).toEqual([{ event_id: id, faults, repaired: true }]);
  expect(await seats.eventOf(id)).toEqual({ ...right, version: right.version + 1 });
  expect((await round()).findings).toEqual([]);
});

test('the audit reports an oversold event and leaves the decision to staff', async () => {
  const { id } = await withPeople(3, 3);
  await set(id, { max_attendees: 2 });
  const finding = { event_id: id, faults: ['3 seats are taken of 2'], repaired: false };
  expect((await round()).findings).toEqual([finding]);
  expect((await round()).findings).toEqual([finding]);
  await set(id, { max_attendees: 3 });
});

test('the waitlist of an event whose change can be undone is taken up after that time', async () => {
  const { id } = await withPeople(2, 3);
  await raise(id, 3);
  const { seatAudit } = deps();
  await set(id, { held_until: new Date(Date.now() + 60_000) });
  expect(await seatAudit.findEventsWithFreeSeats(10)).toEqual([]);
  await set(id, { held_until: new Date(Date.now() - 1) });
  expect(await resumeWaitlists(deps(), 10)).toEqual([{ event_id: id, promoted: 1 }]);
});

test('several workers resume an abandoned waitlist in order and promote each person once', async () => {
  const { id } = await withPeople(2, 700);
  await raise(id, 602);
  const [a, b, c] = await Promise.all([
    resumeWaitlists(deps(), 10),
    promoteWaiting(seats, manager, id, 'capacity_raised'),
    promoteWaiting(seats, manager, id, 'capacity_raised'),
  ]);
  expect((a[0]?.promoted ?? 0) + b + c).toBe(600);
  const rows = await seats.rowsOf(id);
  const moved = rows.filter((row) => row.promoted_because).map((row) => row.waitlist_number ?? 0);
  expect(moved.sort((x, y) => x - y)).toEqual(Array.from({ length: 600 }, (_, i) => i + 1));
  expect(new Set(rows.map((row) => row.confirmation))).toEqual(new Set([0, 1]));
  const notified = seats.database
    .collection('facts')
    .countDocuments({ event_id: id, type: 'registration.confirmed' } as never);
  expect(await notified).toBe(602);
  expect(await resumeWaitlists(deps(), 10)).toEqual([]);
  expect((await round()).findings).toEqual([]);
});
