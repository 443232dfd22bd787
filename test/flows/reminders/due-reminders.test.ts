import { expect, test } from 'vitest';
import type { SchoolEvent } from '../../../src/events/event.ts';
import { makeDueMoves } from '../../../src/events/pass-time.ts';
import { rederiveInstants } from '../../../src/events/rederive.ts';
import { instantsOf } from '../../../src/events/rules/schedule.ts';
import { auditPlans, planReminders, syncPlans } from '../../../src/reminders/plan-reminders.ts';
import { raiseDue } from '../../../src/reminders/raise-due.ts';
import { openTwoClocks } from './two-clocks.ts';

const { now, one, two, store, factsOf, count } = await openTwoClocks();

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
  expect(await one.reminders.findNextDue()).toEqual(new Date('2026-10-16T17:45:00Z'));
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

test('the plan of an event is left to a change that was held, also if its release is late', async () => {
  await store(1, { reminders: [{ type: 'email', offset: 60 }], held_until: new Date(now.at.getTime() - 1_000) });
  await one.database.collection('reminders').deleteMany({});
  expect((await auditPlans(one, null, 2)).repaired).toEqual([]);
  // A process that was killed after the release has left `held_until` as it was.
  now.at = new Date(now.at.getTime() + 3_600_000);
  expect((await auditPlans(one, null, 2)).repaired).toEqual(['event-0']);
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
