import { expect, test } from 'vitest';
import type { SchoolEvent } from '../../../src/events/event.ts';
import { scheduleOf } from '../../../src/events/rules/schedule.ts';
import { deferUntil, quietsOf } from '../../../src/notifications/policy/deferral.ts';
import { triggerOf } from '../../../src/notifications/policy/trigger.ts';
import { ruleOf, type Trigger } from '../../../src/notifications/policy/trigger-table.ts';
import type { Fact } from '../../../src/outbox/fact.ts';
import type { Channel } from '../../../src/people/channels.ts';
import { anEvent, aSchool, at } from '../../support/builders.ts';
import { aFact } from '../../support/message-builders.ts';

/** Concert on 16 October 2026, 18:00 UTC; quiet hours from nine to seven UTC, autumn break from 19 to 25 October. */
const QUIET = {
  hours: { from: '21:00', to: '07:00' },
  breaks: [{ name: 'Autumn', start_date: '2026-10-19', end_date: '2026-10-25' }],
  zone: 'UTC',
};
const moved = (start_date: string) =>
  aFact('event.postponed', { previous: { ...scheduleOf(anEvent()), start_date, end_date: start_date } });
const published = aFact('event.published');
const reminder = aFact('reminder.due');
const message = aFact('message.requested');
const cancelled = aFact('event.cancelled');
const confirmed = aFact('registration.confirmed');
const revised = aFact('event.unpublished');
const started = aFact('event.started');

test.each<[string, Fact, string, string | null, Partial<SchoolEvent>?, Channel?]>([
  ['defers an announcement at night', published, '2026-10-10T22:00Z', '2026-10-11T07:00Z'],
  ['sends an announcement immediately by day', published, '2026-10-10T12:00Z', null],
  ['shows an announcement in the app immediately at night', published, '2026-10-10T22:00Z', null, {}, 'in_app'],
  ['defers a push message at night', published, '2026-10-10T22:00Z', '2026-10-11T07:00Z', {}, 'push'],
  [
    'defers an announcement until seven if its event begins at eight',
    published,
    '2026-10-15T22:00Z',
    '2026-10-16T07:00Z',
    { starts_at: at('2026-10-16T08:00Z') },
  ],
  [
    'does not defer an announcement if its event begins at a quarter past seven',
    published,
    '2026-10-15T22:00Z',
    null,
    { starts_at: at('2026-10-16T07:15Z') },
  ],
  [
    'does not defer an announcement if registration ends before the morning',
    published,
    '2026-10-10T22:00Z',
    null,
    { registration_deadline: at('2026-10-11T06:00Z') },
  ],
  [
    'defers an announcement at night if registration has ended already',
    published,
    '2026-10-10T22:00Z',
    '2026-10-11T07:00Z',
    { registration_deadline: at('2026-10-09T06:00Z') },
  ],
  [
    'defers an announcement of a past event',
    published,
    '2026-10-20T22:00Z',
    '2026-10-26T07:00Z',
    { starts_at: at('2026-10-01T08:00Z') },
  ],
  ['defers a reminder at night', reminder, '2026-10-15T23:00Z', '2026-10-16T07:00Z'],
  [
    'does not defer a reminder if its event begins before the morning',
    reminder,
    '2026-10-15T23:00Z',
    null,
    { starts_at: at('2026-10-16T06:30Z') },
  ],
  [
    'does not defer a reminder if its event begins twenty minutes after quiet hours',
    reminder,
    '2026-10-16T06:40Z',
    null,
    { starts_at: at('2026-10-16T07:20Z') },
  ],
  [
    'defers a reminder if half an hour is left after quiet hours',
    reminder,
    '2026-10-16T06:40Z',
    '2026-10-16T07:00Z',
    { starts_at: at('2026-10-16T07:30Z') },
  ],
  ['does not defer a reminder in a break', reminder, '2026-10-20T12:00Z', null, { starts_at: at('2026-11-20T18:00Z') }],
  [
    'defers an announcement in a break until the morning after it',
    published,
    '2026-10-20T12:00Z',
    '2026-10-26T07:00Z',
    { starts_at: at('2026-11-20T18:00Z') },
  ],
  [
    'does not defer an announcement if its event is in the break',
    published,
    '2026-10-20T12:00Z',
    null,
    { starts_at: at('2026-10-22T18:00Z') },
  ],
  ['defers a message of staff at night', message, '2026-10-10T22:00Z', '2026-10-11T07:00Z'],
  [
    'defers a message of staff although registration ends before the morning',
    message,
    '2026-10-10T22:00Z',
    '2026-10-11T07:00Z',
    { registration_deadline: at('2026-10-11T06:00Z') },
  ],
  ['defers a message of staff about a past event at night', message, '2026-10-17T22:00Z', '2026-10-18T07:00Z'],
  ['never defers a cancellation', cancelled, '2026-10-10T22:00Z', null],
  ['never defers a confirmation of the recipient’s own action', confirmed, '2026-10-10T22:00Z', null],
  ['sends a start notice at night', started, '2026-10-16T21:30Z', null],
  [
    'wakes no one at midnight because an all-day event starts',
    started,
    '2026-10-16T00:00:01Z',
    '2026-10-16T07:00Z',
    { all_day: true, starts_at: at('2026-10-16T00:00Z') },
    'push',
  ],
  ['defers a postponement if the old date is far away', moved('2026-10-14'), '2026-10-10T22:00Z', '2026-10-11T07:00Z'],
  ['does not defer a postponement if the old date is within a day', moved('2026-10-11'), '2026-10-10T22:00Z', null],
  ['defers the news of a revision if its event is far away', revised, '2026-10-10T22:00Z', '2026-10-11T07:00Z'],
  ['does not defer the news of a revision if its event is within a day', revised, '2026-10-15T22:00Z', null],
  ['does not defer a postponement to the next day', moved('2026-10-20'), '2026-10-15T22:00Z', null],
])('%s', (_, fact, now, until, event = {}, channel = 'email') => {
  const trigger = triggerOf(fact) as Trigger;
  const about = { fact, trigger, event: anEvent(event), channel };
  const held = deferUntil({ ...about, expires_at: ruleOf(trigger).expiresAt(about.event) }, QUIET, at(now));
  const cause = until?.startsWith('2026-10-26') ? 'term_calendar' : 'quiet_hours';
  expect(held).toEqual(until === null ? null : { until: at(until), cause });
});

test('quiet hours are those of the clock of each reader, and without readers those of the school', () => {
  const school = aSchool({ timezone: 'Europe/Prague' });
  const readers = ['America/New_York', null].map((timezone) => ({ user_id: 'eva', timezone }));
  const zones = (people: typeof readers) => quietsOf(people, new Map(), school).map(({ zone }) => zone);
  expect(zones(readers)).toEqual(['America/New_York', 'Europe/Prague']);
  expect(zones([])).toEqual(['Europe/Prague']);
});
