import { expect, test } from 'vitest';
import type { SchoolEvent } from '../../../src/events/event.ts';
import { makeDueMoves, publishIfDue } from '../../../src/events/pass-time.ts';
import { instantsOf } from '../../../src/events/rules/schedule.ts';
import { eventRowOf } from '../../../src/mongo/events/event-row.ts';
import { recordOf } from '../../../src/mongo/rows.ts';
import { expireDeliveries } from '../../../src/notifications/delivery/reconcile.ts';
import { anEvent } from '../../support/builders.ts';
import { aDelivery } from '../../support/message-builders.ts';
import { AT_18, NOON, openTwoClocks } from './two-clocks.ts';

const { now, one, two, store, factsOf, count } = await openTwoClocks();

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
  const rows = await one.database.collection('events').find({}).toArray();
  for (const row of rows) expect(row).toEqual(eventRowOf(recordOf(row)));
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

test('the clock starts and completes an event that is over, and publishes and announces a scheduled one', async () => {
  await store(3, { status: 'scheduled', published_at: null, publish_at: new Date('2026-10-16T13:00:00Z') });
  expect(await makeDueMoves(one, 'publish')).toBe(0);
  expect(await one.events.findNextDue('publish')).toEqual(new Date('2026-10-16T13:00:00Z'));
  now.at = new Date('2026-10-17T08:00:00Z');
  for (const action of ['publish', 'start', 'complete'] as const) expect(await makeDueMoves(two, action)).toBe(3);
  for (const type of ['event.published', 'event.started', 'event.completed'])
    expect((await factsOf(type)).map(({ actor }) => actor)).toEqual(['system', 'system', 'system']);
  expect(await one.events.findNextDue('complete')).toBeNull();
});

test('a date of a series that breaks a rule stays, and blocks no other publication', async () => {
  const due = { status: 'scheduled', publish_at: NOON, published_at: null } as const;
  const ofSeries = { ...due, is_recurring: true, parent_event_id: 'event-0', recurrence_pattern: 'weekly' } as const;
  await store(3, ofSeries);
  await one.database.collection('events').updateOne({ _id: 'event-1' }, { $set: { cost: 5 } });
  expect(await makeDueMoves(one, 'publish')).toBe(2);
  expect(await count('events', { status: 'scheduled' })).toBe(1);
  expect(await factsOf('event.published')).toHaveLength(2);
});

test('the clock never moves a deleted event', async () => {
  await store(1, { deleted_at: new Date('2026-10-01T00:00:00Z') });
  now.at = new Date('2026-10-17T08:00:00Z');
  expect(await makeDueMoves(one, 'start')).toBe(0);
  expect(await one.events.findNextDue('start')).toBeNull();
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

test('a due series is published as a whole and announced once, also by two clocks and in several batches', async () => {
  const publish_at = new Date('2026-10-16T13:00:00Z');
  const events = [0, 1, 2, 3].map((n) => {
    const series = { is_recurring: true, parent_event_id: n === 0 ? null : 'event-0', publish_at };
    const day = `2026-10-${17 + n}`;
    const event = anEvent({
      ...AT_18,
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
