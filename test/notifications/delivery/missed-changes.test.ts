import { expect, test } from 'vitest';
import { byId, type Group } from '../../../src/core/groups.ts';
import { scheduleOf } from '../../../src/events/rules/schedule.ts';
import { contentOf } from '../../../src/notifications/content/content.ts';
import { cachedContents } from '../../../src/notifications/delivery/compose.ts';
import { evaluate, type SendDeps } from '../../../src/notifications/delivery/evaluate.ts';
import { findMissedChanges } from '../../../src/notifications/delivery/history.ts';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import type { EarlierMessage } from '../../../src/notifications/ports.ts';
import type { Fact, FactType } from '../../../src/outbox/fact.ts';
import { anEvent, aSchool } from '../../support/builders.ts';
import { aDelivery, aFact, rendering } from '../../support/message-builders.ts';

const at = (time: string) => new Date(`2026-09-01T${time}Z`);
const event = anEvent({ status: 'published', start_date: '2026-10-10', end_date: '2026-10-10', change_version: 2 });
const onThe = (day: number) => ({ ...scheduleOf(event), start_date: `2026-10-0${day}`, end_date: `2026-10-0${day}` });
const change = { change_version: 2, fields: ['start_date'], tell_at: at('22:00') };
/** From the 7th to the 8th, then to the 10th. */
const FIRST = aFact('event.changed', { ...change, previous: onThe(7) }, { id: 'first', occurred_at: at('21:00') });
const SECOND = aFact('event.changed', { ...change, previous: onThe(8) }, { id: 'second', occurred_at: at('22:00') });
const OFF = aFact('event.cancelled', { reason: 'Flu' }, { id: 'off', occurred_at: at('22:30') });

/** A message about a change that was not sent. */
const missing = (user_id: string, fact_id: string) => ({
  ...{ user_id, fact_id, event_id: event.id, trigger: 'event.changed', status: 'waiting' },
  ...{ reason: null, repeated: false, settled_at: null },
});

/** The messages about one fact to two people; the first change reached only Jan. */
async function decide(
  fact: Fact<FactType>,
  now = event,
  channel: Delivery['channel'] = 'email',
  first: Fact = FIRST,
  second: Fact = SECOND,
) {
  const row = (user_id: string) =>
    aDelivery({
      ...{ id: user_id, user_id, fact_id: fact.id, event_id: event.id, channel, timezone: event.timezone },
      trigger: fact.type as Delivery['trigger'],
      registration_ids: [user_id],
    });
  const registration = { event_id: event.id, status: 'confirmed', slots: [] };
  const deps = {
    ...rendering,
    clock: { now: () => at('23:00') },
    contentOf: cachedContents(contentOf),
    facts: { findMany: async (ids: string[]) => [second, first].filter(({ id }) => ids.includes(id)) },
    deliveries: {
      findOthers: async () => [
        ...[FIRST, SECOND].map(({ id }) => missing('eva', id)),
        { ...missing('jan', 'third'), trigger: 'reminder.due', status: 'sent', settled_at: at('22:10') },
      ],
    },
  } as unknown as SendDeps;
  const messages = {
    rows: [row('eva'), row('jan')] as Group<Delivery>,
    dates: [{ event: now, fact }],
    school: aSchool(),
  };
  const decisions = await evaluate(deps, messages, {
    registrations: new Map(['eva', 'jan'].map((id) => [id, { ...registration, id, user_id: id }])) as never,
    preferences: new Map(),
    suppressed: new Set(),
  });
  return decisions.map(({ outgoing, stop }) => outgoing?.content.event ?? stop);
}

test('the second of two changes in one night names the date before both to a reader who missed the first', async () => {
  expect(await decide(SECOND)).toMatchObject([
    { when_short: 'Sat 10 Oct, 18:00', previous_when_short: 'Wed 7 Oct, 18:00' },
    { when_short: 'Sat 10 Oct, 18:00', previous_when_short: 'Thu 8 Oct, 18:00' },
  ]);
});

test('the second of two changes names the place before both to a reader who missed the first', async () => {
  const previous_place = { location_name: null, location: { name: 'Gym' } };
  const first = { ...FIRST, data: { ...FIRST.data, previous_place } };
  expect(await decide(SECOND, { ...event, location: { name: 'Hall' } }, 'email', first)).toMatchObject([
    { place: 'Hall', previous_place: 'Gym' },
    { place: 'Hall', previous_place: '' },
  ]);
});

test('a cancellation names the date and place before a change that its reader missed', async () => {
  const previous_place = { location_name: null, location: { name: 'Gym' } };
  const first = { ...FIRST, data: { ...FIRST.data, previous_place } };
  const moved = { ...event, status: 'cancelled', location: { name: 'Hall' } } as const;
  expect(await decide(OFF, moved, 'email', first)).toMatchObject([
    { when_short: 'Wed 7 Oct, 18:00', place: 'Gym' },
    { when_short: 'Sat 10 Oct, 18:00', place: 'Hall' },
  ]);
});

test('a cancellation right after an edit names the known date to everyone, or the one before a change that they missed', async () => {
  const known = { ...OFF, data: { ...OFF.data, previous: onThe(8) } };
  const moved = { ...event, status: 'cancelled' } as const;
  expect(await decide(known, moved)).toMatchObject([
    { when_short: 'Wed 7 Oct, 18:00', previous_when: '' },
    { when_short: 'Thu 8 Oct, 18:00', previous_when: '' },
  ]);
});

test('a cancellation right after an edit names the new date to a reader whom another message has told it meanwhile', async () => {
  const edited = (time: string) => ({ ...OFF, data: { ...OFF.data, previous: onThe(8), changed_at: at(time) } });
  const moved = { ...event, status: 'cancelled' } as const;
  expect(await decide(edited('22:00'), moved)).toMatchObject([
    { when_short: 'Wed 7 Oct, 18:00' },
    { when_short: 'Sat 10 Oct, 18:00', previous_when: '' },
  ]);
  expect(await decide(edited('22:20'), moved)).toMatchObject([
    { when_short: 'Wed 7 Oct, 18:00' },
    { when_short: 'Thu 8 Oct, 18:00' },
  ]);
});

test('two changes in one night that lead back to the known date are no news to who missed the first', async () => {
  const back = { ...event, start_date: '2026-10-07', end_date: '2026-10-07' };
  expect(await decide(SECOND, back)).toMatchObject([
    { to: 'skipped', reason: 'superseded' },
    { when_short: 'Wed 7 Oct, 18:00', previous_when_short: 'Thu 8 Oct, 18:00' },
  ]);
});

test('an undone change is corrected also for a reader to whom its own message was not sent, but a confirmation was', async () => {
  const undone = { ...SECOND, data: { ...SECOND.data, told_since: at('21:00') } };
  const back = { ...event, start_date: '2026-10-07', end_date: '2026-10-07' };
  const correction = { when_short: 'Wed 7 Oct, 18:00', previous_when_short: 'Thu 8 Oct, 18:00' };
  expect(await decide(undone, back)).toMatchObject([correction, correction]);
});

test('a cancellation names the place before the first change of the place that its reader missed', async () => {
  const from = (name: string) => ({ previous_place: { location_name: null, location: { name } } });
  const second = { ...SECOND, data: { ...SECOND.data, ...from('Gym') } };
  const moved = { ...event, status: 'cancelled', location: { name: 'Hall' } } as const;
  expect(await decide(OFF, moved, 'email', FIRST, second)).toMatchObject([
    { when_short: 'Wed 7 Oct, 18:00', place: 'Gym' },
    { when_short: 'Sat 10 Oct, 18:00', place: 'Hall' },
  ]);
});

test.each<[string, boolean, Partial<EarlierMessage>]>([
  ['waits', true, { status: 'waiting' }],
  ['was overtaken', true, { status: 'skipped', reason: 'superseded' }],
  ['was overtaken by another status', true, { status: 'skipped', reason: 'event_state' }],
  ['was a postponement and waits', true, { trigger: 'event.postponed' }],
  ['was not wanted', false, { status: 'skipped', reason: 'opted_out' }],
  ['is sent again', false, { repeated: true }],
  ['was sent', false, { status: 'sent' }],
  ['was an announcement and waits', false, { trigger: 'event.published' }],
])('a message about a change that %s counts as missed: %s', (_, isMissed, more) => {
  expect(missedBy([{ fact_id: 'first', ...more }])).toEqual(isMissed ? { 'event-1': 'first' } : {});
});

type Notice = Partial<EarlierMessage> & { fact_id: string; notified?: boolean };

/** The changes that Eva missed before a cancellation, by the event that changed. */
function missedBy(notices: Notice[], facts: Fact[] = [FIRST, SECOND]) {
  const messages = notices.map(({ notified, ...more }) => ({
    ...missing('eva', more.fact_id),
    ...more,
    ...(notified ? { status: 'sent' } : {}),
  })) as EarlierMessage[];
  const row = aDelivery({ user_id: 'eva', trigger: 'event.cancelled' });
  const missed = findMissedChanges([row], [{ event, fact: OFF }], { messages, facts: byId(facts) });
  return Object.fromEntries([...missed].map(([key, fact]) => [key.replace('eva ', ''), fact.id]));
}

test.each<[string, Notice[], object]>([
  ['no change', [], {}],
  ['the first of two', [{ fact_id: 'first' }, { fact_id: 'second' }], { 'event-1': 'first' }],
  ['none before one that was notified', [{ fact_id: 'first' }, { fact_id: 'second', notified: true }], {}],
  ['one after another', [{ fact_id: 'first', notified: true }, { fact_id: 'second' }], { 'event-1': 'second' }],
  ['no change whose fact was deleted', [{ fact_id: 'gone' }], {}],
])('a reader missed %s', (_, notices, missed) => {
  expect(missedBy(notices)).toEqual(missed);
});

test('a reader missed no change after the one that the message is about', () => {
  const later = { ...SECOND, occurred_at: OFF.occurred_at };
  expect(missedBy([{ fact_id: 'second' }], [later])).toEqual({});
});

test('a reader missed the dates of a series that changed again before the message about them was sent', () => {
  const also = [{ event_id: 'other', sequence: 2, schedule_version: 3, change_version: 2, previous: onThe(8) }];
  const series = { ...FIRST, data: { ...FIRST.data, also } } as Fact;
  const notified = (settled_at: Date, other_sequences?: Record<string, number>) =>
    missedBy([{ fact_id: 'first', notified: true, settled_at, ...(other_sequences && { other_sequences }) }], [series]);
  expect(notified(at('22:30'), { other: 2 })).toEqual({ 'event-1': 'first', other: 'first' });
  expect(notified(at('22:29'), { other: 2 })).toEqual({});
  expect(notified(at('22:30'))).toEqual({});
});
