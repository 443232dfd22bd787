import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Stores, storesOn } from '../../src/app/stores.ts';
import type { SchoolEvent } from '../../src/events/event.ts';
import { makeDueMoves, publishIfDue } from '../../src/events/pass-time.ts';
import { rederiveInstants } from '../../src/events/rederive.ts';
import { instantsOf } from '../../src/events/rules/schedule.ts';
import { type Database, openDatabase } from '../../src/mongo/database.ts';
import { eventOf, eventRowOf } from '../../src/mongo/events/event-row.ts';
import { expireDeliveries } from '../../src/notifications/delivery/reconcile.ts';
import { auditPlans } from '../../src/reminders/audit.ts';
import { planReminders, syncPlans } from '../../src/reminders/plan-reminders.ts';
import { raiseDue } from '../../src/reminders/raise-due.ts';
import { anEvent } from '../support/builders.ts';
import { emptyDatabaseUri } from '../support/database.ts';
import { aDelivery } from '../support/message-builders.ts';

/** Two clock workers with their own connections to one database. The tests choose the time. */
const now = { at: new Date('2026-10-16T12:00:00Z') };
const clock = { now: () => now.at };
let databases: Database[];
let one: Stores;
let two: Stores;
beforeAll(async () => {
  const uri = await emptyDatabaseUri();
  databases = [await openDatabase(uri), await openDatabase(uri)];
  [one, two] = databases.map((database) => storesOn({ ...database, clock })) as [Stores, Stores];
});
afterAll(async () => {
  for (const database of databases ?? []) await database.close();
});
beforeEach(async () => {
  for (const name of ['events', 'facts', 'reminders', 'deliveries'] as const)
    await databases[0]?.collection(name).deleteMany({});
  now.at = new Date('2026-10-16T12:00:00Z');
});

const at18 = { start_date: '2026-10-16', end_date: '2026-10-16', start_time: '18:00', end_time: '20:00' };

async function store(count: number, more: Partial<SchoolEvent>): Promise<void> {
  const events = Array.from({ length: count }, (_, n) => {
    const event = anEvent({ ...at18, timezone: 'UTC', ...more, id: `event-${n}` });
    return { ...event, ...instantsOf(event) };
  });
  await one.transact(async (tx) => {
    await one.events.insert(events, tx);
    await syncPlans(one, events, tx);
  });
}

const factsOf = async (type: string) =>
  (await one.database
    .collection('facts')
    .find({ type } as never)
    .toArray()) as unknown as { event_id: string; actor: string; data: { missed?: string } }[];
const count = (name: 'events' | 'reminders' | 'deliveries', filter: object) =>
  one.database.collection(name).countDocuments(filter as never);

test('two clocks start each of many events once, and earlier reminders are dropped', async () => {
  await store(450, { reminders: [{ type: 'email', offset: 60 }] });
  now.at = new Date('2026-10-16T16:30:00Z');
  expect(await Promise.all([makeDueMoves(one, 'start'), makeDueMoves(two, 'start')])).toEqual([0, 0]);
  now.at = new Date('2026-10-16T18:00:00Z');
  const [a, b] = await Promise.all([makeDueMoves(one, 'start'), makeDueMoves(two, 'start')]);
  // Events that both had read are left to the next round.
  const rest = await makeDueMoves(one, 'start');
  expect(a + b + rest).toBe(450);
  const facts = await factsOf('event.started');
  expect(new Set(facts.map(({ event_id }) => event_id)).size).toBe(450);
  expect(facts).toHaveLength(450);
  expect(await count('events', { status: 'in_progress' })).toBe(450);
  // A bulk write must leave the same rows as single writes.
  const rows = (await databases[0]?.collection('events').find({}).toArray()) ?? [];
  for (const row of rows) expect(row).toEqual(eventRowOf(eventOf({ ...row } as never)));
});

test('one round moves events of several versions and schools, and keeps a change made meanwhile', async () => {
  await store(6, { waitlisted: 2, tags: ['hudba'] });
  const rows = one.database.collection('events');
  await rows.updateMany({ _id: { $in: ['event-1', 'event-2'] } } as never, { $inc: { version: 3 } });
  await rows.updateMany({ _id: { $in: ['event-4', 'event-5'] } } as never, { $set: { school_id: 'other' } as never });
  now.at = new Date('2026-10-16T18:00:00Z');
  const before = await one.events.findMany(['event-0', 'event-1', 'event-2', 'event-3', 'event-4', 'event-5']);
  const started = before.map((event) => ({
    before: event,
    after: { ...event, status: 'in_progress' as const, updated_at: now.at, version: event.version + 1 },
  }));
  await rows.updateOne({ _id: 'event-3' } as never, { $inc: { version: 1 }, $set: { title: 'Moved hall' } } as never);
  expect(await one.transact((tx) => one.events.replaceMany(started, tx))).toBe(false);
  await rows.updateMany({} as never, { $set: { status: 'published', terms: [] } as never });
  for (const { after } of started) await rows.updateOne({ _id: after.id } as never, { $set: { version: 1 } as never });
  expect(await makeDueMoves(one, 'start')).toBe(6);
  expect((await one.events.findMany(['event-3']))[0]?.title).toBe('Moved hall');
  expect(await count('events', { status: 'in_progress', version: 2 })).toBe(6);
});

test('two clocks raise each reminder once', async () => {
  await store(450, {
    reminders: [
      { type: 'email', offset: 60 },
      { type: 'push', offset: 15 },
    ],
  });
  now.at = new Date('2026-10-16T17:00:00Z');
  const [a, b] = await Promise.all([raiseDue(one), raiseDue(two)]);
  expect(a + b + (await raiseDue(two))).toBe(450);
  const facts = await factsOf('reminder.due');
  expect(new Set(facts.map(({ event_id }) => event_id)).size).toBe(450);
  expect(facts).toHaveLength(450);
  expect(await count('reminders', { status: 'raised' })).toBe(450);
  expect(await count('reminders', { status: 'planned' })).toBe(450);
  expect(await one.reminders.nextDue()).toEqual(new Date('2026-10-16T17:45:00Z'));
});

test('people who have not confirmed are reminded at the chosen time after the announcement, unless the event changes before', async () => {
  await store(4, {
    published_at: now.at,
    asks_acknowledgement: true,
    acknowledgement_reminder: { after_hours: 2, channels: ['sms'] },
  });
  const change = async (id: string, more: Partial<SchoolEvent>) => {
    const [before] = await one.events.findMany([id]);
    const after = { ...(before as SchoolEvent), ...more };
    await one.transact((tx) => planReminders(one)([{ before: before ?? null, after }], tx));
  };
  await change('event-1', { status: 'cancelled' });
  await change('event-2', { acknowledgement_reminder: null });
  await change('event-3', { acknowledgement_reminder: { after_hours: 3, channels: ['push'] } });
  now.at = new Date('2026-10-16T13:59:00Z');
  expect(await raiseDue(one)).toBe(0);
  now.at = new Date('2026-10-16T14:00:00Z');
  expect(await raiseDue(one)).toBe(1);
  now.at = new Date('2026-10-16T15:00:00Z');
  expect(await raiseDue(one)).toBe(1);
  const raised = await factsOf('acknowledgement.reminded');
  expect(raised.map(({ event_id, actor, data }) => ({ event_id, actor, data }))).toEqual([
    { event_id: 'event-0', actor: 'system', data: { channels: ['sms'] } },
    { event_id: 'event-3', actor: 'system', data: { channels: ['push'] } },
  ]);
});

test('a reminder to confirm that an outage held back until the event began is not sent', async () => {
  await store(1, {
    published_at: now.at,
    asks_acknowledgement: true,
    acknowledgement_reminder: { after_hours: 2, channels: ['sms'] },
  });
  now.at = new Date('2026-10-16T18:00:00Z');
  expect(await raiseDue(one)).toBe(1);
  expect(await count('reminders', { status: 'expired' })).toBe(1);
  expect(await factsOf('acknowledgement.reminded')).toEqual([]);
});

test('after an outage a useful reminder is raised, and one whose event has begun is recorded as expired', async () => {
  await store(1, { reminders: [{ type: 'email', offset: 1440 }] });
  now.at = new Date('2026-10-15T12:00:00Z');
  const [event] = await one.events.findMany(['event-0']);
  await one.transact((tx) => syncPlans(one, [event as SchoolEvent], tx));
  expect(await count('reminders', { status: 'past_due' })).toBe(1);

  await one.database.collection('reminders').updateMany({} as never, { $set: { status: 'planned' } });
  now.at = new Date('2026-10-16T17:59:00Z');
  expect(await raiseDue(one)).toBe(1);
  expect((await factsOf('reminder.due')).map(({ data }) => data.missed)).toEqual([undefined]);

  await one.database.collection('reminders').updateMany({} as never, { $set: { status: 'planned' } });
  now.at = new Date('2026-10-16T18:00:00Z');
  // The start runs first and leaves the reminders due before it to be recorded.
  expect(await makeDueMoves(two, 'start')).toBe(1);
  expect(await raiseDue(one)).toBe(1);
  expect((await factsOf('reminder.due')).map(({ data }) => data.missed)).toEqual([undefined, 'expired']);
  expect(await count('reminders', { status: 'expired' })).toBe(1);
});

test('the clock starts and completes an event that is over, and publishes and announces a scheduled one', async () => {
  await store(3, { status: 'scheduled', published_at: null, publish_at: new Date('2026-10-16T13:00:00Z') });
  expect(await makeDueMoves(one, 'publish')).toBe(0);
  expect(await one.events.nextDue('publish')).toEqual(new Date('2026-10-16T13:00:00Z'));
  now.at = new Date('2026-10-17T08:00:00Z');
  for (const action of ['publish', 'start', 'complete'] as const) expect(await makeDueMoves(two, action)).toBe(3);
  for (const type of ['event.published', 'event.started', 'event.completed'])
    expect((await factsOf(type)).map(({ actor }) => actor)).toEqual(['system', 'system', 'system']);
  expect(await one.events.nextDue('complete')).toBeNull();
});

test('the clock never moves a deleted event', async () => {
  await store(1, { deleted_at: new Date('2026-10-01T00:00:00Z') });
  now.at = new Date('2026-10-17T08:00:00Z');
  expect(await makeDueMoves(one, 'start')).toBe(0);
  expect(await one.events.nextDue('start')).toBeNull();
});

test('a waiting message expires at its deadline, and one without a deadline does not', async () => {
  const waiting = { status: 'waiting', due_at: new Date('2027-01-01T00:00:00Z') } as const;
  await one.deliveries.insertMany([
    aDelivery({ ...waiting, id: 'useless', expires_at: now.at }),
    aDelivery({ ...waiting, id: 'of use', expires_at: new Date(now.at.getTime() + 1) }),
    aDelivery({ ...waiting, id: 'always', expires_at: null }),
  ]);
  expect(await expireDeliveries(one)).toBe(1);
  expect(await one.deliveries.find('useless')).toMatchObject({ status: 'skipped', reason: 'expired' });
  expect(await count('deliveries', { status: 'waiting' })).toBe(2);
});

test('a reminder plan that a restore made wrong is repaired, and a correct one is not written', async () => {
  await store(3, { reminders: [{ type: 'email', offset: 60 }] });
  const rows = one.database.collection('reminders');
  await rows.deleteOne({ event_id: 'event-0' } as never);
  await rows.updateOne({ event_id: 'event-1' } as never, { $set: { due_at: new Date('2026-10-16T17:30:00Z') } });
  const first = await auditPlans(one, null, 2);
  expect(first.repaired.sort()).toEqual(['event-0', 'event-1']);
  expect(await auditPlans(two, first.next, 2)).toEqual({ repaired: [], next: null });
  expect(await auditPlans(two, null, 100)).toEqual({ repaired: [], next: null });
  expect(await count('reminders', { status: 'planned', due_at: new Date('2026-10-16T17:00:00Z') })).toBe(3);
});

test('new zone rules move instants and plans once, and a process with older rules leaves them as they are', async () => {
  await store(2, { reminders: [{ type: 'email', offset: 60 }] });
  await one.notes.write('zone rules', '2026a');
  await one.database.collection('events').updateMany({}, { $set: { tz_version: '2026a' } });
  // From now on the zone is an hour behind; one event has another zone, which has not changed.
  const newRules = (event: Parameters<typeof instantsOf>[0] & { id?: string }) => {
    const { starts_at, ends_at } = instantsOf(event);
    const later = (instant: Date) => new Date(instant.getTime() + (event.id === 'event-0' ? 3_600_000 : 0));
    return { starts_at: later(starts_at), ends_at: later(ends_at), tz_version: '2026b' };
  };
  expect(await rederiveInstants(two, newRules, '2026b')).toEqual(['event-0']);
  expect(await rederiveInstants(one, instantsOf, '2026a')).toEqual([]);
  expect(await rederiveInstants(one, newRules, '2026b')).toEqual([]);
  const [moved, kept] = (await one.events.findMany(['event-0', 'event-1'])).sort((a, b) => (a.id < b.id ? -1 : 1));
  expect(moved).toMatchObject({
    starts_at: new Date('2026-10-16T19:00:00Z'),
    tz_version: '2026b',
    start_time: '18:00',
  });
  expect(kept).toMatchObject({ starts_at: new Date('2026-10-16T18:00:00Z'), tz_version: '2026b', version: 4 });
  const planned = await one.reminders.listOfEvents(['event-0', 'event-1']);
  expect(
    planned
      .filter(({ status }) => status === 'planned')
      .map(({ due_at }) => due_at.toISOString())
      .sort(),
  ).toEqual(['2026-10-16T17:00:00.000Z', '2026-10-16T18:00:00.000Z']);
  expect(planned.filter(({ status }) => status === 'dropped')).toHaveLength(1);
  expect((await factsOf('event.edited')).map(({ event_id, actor }) => [event_id, actor])).toEqual([
    ['event-0', 'system'],
  ]);
});

test('a due series is published as a whole and announced once, also by two clocks and in several batches', async () => {
  const publish_at = new Date('2026-10-16T13:00:00Z');
  const events = [0, 1, 2, 3].map((n) => {
    const series = { is_recurring: true, parent_event_id: n === 0 ? null : 'event-0', publish_at };
    const day = `2026-10-${17 + n}`;
    const event = anEvent({
      ...at18,
      ...series,
      status: 'scheduled',
      published_at: null,
      start_date: day,
      end_date: day,
    });
    const held = n === 3 ? { status: 'cancelled' as const, publish_at: null } : {};
    return { ...event, id: `event-${n}`, ...instantsOf(event), ...held };
  });
  await one.transact((tx) => one.events.insert(events, tx));
  now.at = publish_at;
  // A reader publishes the third while two clocks find all of them.
  const [, ...moved] = await Promise.all([
    publishIfDue(two, events[2] as SchoolEvent),
    makeDueMoves(one, 'publish'),
    makeDueMoves(two, 'publish'),
  ]);
  await makeDueMoves(one, 'publish');
  expect(moved.every((count) => count <= 3)).toBe(true);
  const facts = (await factsOf('event.published')) as unknown as {
    event_id: string;
    data: { announced_with?: string };
  }[];
  expect(facts.map(({ event_id, data }) => [event_id, data.announced_with]).sort()).toEqual([
    ['event-0', undefined],
    ['event-1', 'event-0'],
    ['event-2', 'event-0'],
  ]);
});
