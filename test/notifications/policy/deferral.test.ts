import { expect, test } from 'vitest';
import type { SchoolEvent } from '../../../src/events/event.ts';
import { deferUntil } from '../../../src/notifications/policy/deferral.ts';
import { type Channel, type Trigger, triggerOf } from '../../../src/notifications/policy/trigger.ts';
import type { Fact } from '../../../src/outbox/fact.ts';
import { aFact, anEvent, at } from '../../support/builders.ts';

/** Concert on 16 October 2026, 18:00 UTC; quiet hours from nine to seven UTC, autumn break from 19 to 25 October. */
const QUIET = {
  hours: { from: '21:00', to: '07:00' },
  breaks: [{ name: 'Autumn', start_date: '2026-10-19', end_date: '2026-10-25' }],
  zone: 'UTC',
};
const previous = (start_date: string) => ({
  start_date,
  end_date: start_date,
  start_time: '18:00',
  end_time: '20:00',
  timezone: 'UTC',
  all_day: false,
});
const moved = (from: string) =>
  aFact('event.postponed', {
    sequence: 3,
    schedule_version: 3,
    change_version: 1,
    reason: 'Rain',
    previous: previous(from),
    date_known: true,
    notify: null,
  });
const published = aFact('event.published', { sequence: 2, schedule_version: 3 });
const reminder = aFact('reminder.due', { reminder_id: 'r', type: 'email', offset: 60, schedule_version: 3 });
const message = aFact('message.requested', { subject: 's', body: 'b', channels: ['email'], status: null, kind: null });
const cancelled = aFact('event.cancelled', { sequence: 3, reason: 'No hall', notify: null });
const confirmed = aFact('registration.confirmed', { registration_id: 'r', user_id: 'eva', confirmation: 1 });
const started = aFact('event.started', { schedule_version: 3 });

test.each<[string, Fact, string, string | null, Partial<SchoolEvent>?, Channel?]>([
  ['an announcement at night waits', published, '2026-10-10T22:00Z', '2026-10-11T07:00Z'],
  ['is sent immediately by day', published, '2026-10-10T12:00Z', null],
  ['in the app it always does', published, '2026-10-10T22:00Z', null, {}, 'in_app'],
  ['so does a push wait', published, '2026-10-10T22:00Z', '2026-10-11T07:00Z', {}, 'push'],
  [
    'of an event that begins at eight in the morning it does not wait',
    published,
    '2026-10-15T22:00Z',
    '2026-10-16T07:00Z',
    { starts_at: at('2026-10-16T08:00Z') },
  ],
  [
    'of one that begins at a quarter past seven neither',
    published,
    '2026-10-15T22:00Z',
    null,
    { starts_at: at('2026-10-16T07:15Z') },
  ],
  [
    'nor where registration ends before the morning',
    published,
    '2026-10-10T22:00Z',
    null,
    { registration_deadline: at('2026-10-11T06:00Z') },
  ],
  [
    'waits if the event has ended already',
    published,
    '2026-10-10T22:00Z',
    '2026-10-11T07:00Z',
    { registration_deadline: at('2026-10-09T06:00Z') },
  ],
  [
    'of an event long past too',
    published,
    '2026-10-20T22:00Z',
    '2026-10-26T07:00Z',
    { starts_at: at('2026-10-01T08:00Z') },
  ],
  ['a reminder at night waits', reminder, '2026-10-15T23:00Z', '2026-10-16T07:00Z'],
  ['unless it would be useless by then', reminder, '2026-10-15T23:00Z', null, { starts_at: at('2026-10-16T06:30Z') }],
  ['or nearly', reminder, '2026-10-16T06:40Z', null, { starts_at: at('2026-10-16T07:20Z') }],
  [
    'with half an hour to go it is not',
    reminder,
    '2026-10-16T06:40Z',
    '2026-10-16T07:00Z',
    { starts_at: at('2026-10-16T07:30Z') },
  ],
  [
    'a reminder belongs to its day, also in a break',
    reminder,
    '2026-10-20T12:00Z',
    null,
    { starts_at: at('2026-10-20T13:00Z') },
  ],
  [
    'an announcement waits until the break is over',
    published,
    '2026-10-20T12:00Z',
    '2026-10-26T07:00Z',
    { starts_at: at('2026-11-20T18:00Z') },
  ],
  ['unless its event is in the break', published, '2026-10-20T12:00Z', null, { starts_at: at('2026-10-22T18:00Z') }],
  ['a message of staff waits', message, '2026-10-10T22:00Z', '2026-10-11T07:00Z'],
  ['also one about an event that is over', message, '2026-10-17T22:00Z', '2026-10-18T07:00Z'],
  ['a cancellation never does', cancelled, '2026-10-10T22:00Z', null],
  ['nor a confirmation of the recipient’s own action', confirmed, '2026-10-10T22:00Z', null],
  ['nor a start', started, '2026-10-16T21:30Z', null],
  ['a postponement of what was far away waits', moved('2026-10-14'), '2026-10-10T22:00Z', '2026-10-11T07:00Z'],
  ['of what would have begun within a day does not', moved('2026-10-11'), '2026-10-10T22:00Z', null],
  ['nor one to the very next day', moved('2026-10-20'), '2026-10-15T22:00Z', null],
])('%s', (_, fact, now, until, event = {}, channel = 'email') => {
  const held = deferUntil(
    { fact, trigger: triggerOf(fact) as Trigger, event: anEvent(event), channel },
    QUIET,
    at(now),
  );
  expect(held).toEqual(until === null ? null : at(until));
});
