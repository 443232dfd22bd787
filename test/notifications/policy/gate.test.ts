import { describe, expect, test } from 'vitest';
import { EVENT_STATUSES, type EventStatus, type SchoolEvent } from '../../../src/events/event.ts';
import { scheduleOf } from '../../../src/events/rules/schedule.ts';
import { announcedState } from '../../../src/events/rules/unannounced-changes.ts';
import type { Reason } from '../../../src/notifications/delivery.ts';
import { isOutdated, type Now } from '../../../src/notifications/policy/gate.ts';
import { ALL_TRIGGERS } from '../../../src/notifications/policy/trigger.ts';
import type { Trigger } from '../../../src/notifications/policy/trigger-table.ts';
import { CHANNELS } from '../../../src/people/channels.ts';
import type { RegistrationStatus } from '../../../src/registrations/registration.ts';
import { anEvent, aRegistration, at, NOW } from '../../support/builders.ts';
import { aFact } from '../../support/message-builders.ts';
import { preferring } from './drafting.ts';
import { aMessage, REMINDER, reason, TRUE_IN } from './gate-message.ts';

test.each(ALL_TRIGGERS.flatMap((trigger) => CHANNELS.map((channel) => [trigger, channel] as const)))(
  '%s by %s is sent while it is true',
  (trigger, channel) => {
    expect(reason(aMessage(trigger, {}, {}, { channel }))).toBeNull();
  },
);

describe('event_gone', () => {
  test.each(ALL_TRIGGERS)('%s stops without its event or fact', (trigger) => {
    expect(reason(aMessage(trigger, {}, { event: null }))).toBe('event_gone');
    expect(reason(aMessage(trigger, {}, { fact: null }))).toBe('event_gone');
  });

  test.each(ALL_TRIGGERS)('%s stops for an event of another tenant or school', (trigger) => {
    expect(reason(aMessage(trigger, { tenant_id: 't2' }))).toBe('event_gone');
    expect(reason(aMessage(trigger, { school_id: 's2' }))).toBe('event_gone');
  });
});

describe('expired', () => {
  const EXPIRES = at('2026-10-16T18:00:00Z');
  test.each([
    ['a millisecond before', '2026-10-16T17:59:59.999Z', null],
    ['at the instant', '2026-10-16T18:00:00.000Z', 'expired'],
    ['later', '2026-10-17T00:00:00.000Z', 'expired'],
  ])('%s', (_, now, expected) => {
    expect(reason(aMessage('reminder.due', {}, { at: at(now) }, { expires_at: EXPIRES }))).toBe(expected);
  });

  test('a message without an expiry is sent at any time', () => {
    const late = { at: at('2026-12-24T00:00:00Z') };
    expect(reason(aMessage('event.cancelled', {}, late, { expires_at: null }))).toBeNull();
  });
});

/** Promise 3: in which states of the event each message is still true. */
const FITS: Record<Trigger, EventStatus[]> = {
  'event.published': ['published', 'in_progress'],
  'event.cancelled': ['cancelled'],
  'event.postponed': ['draft', 'scheduled', 'published', 'postponed'],
  'event.changed': ['published', 'in_progress'],
  'event.unpublished': ['draft', 'scheduled'],
  'registration.pending': ['draft', 'scheduled', 'published', 'in_progress', 'postponed'],
  'registration.waitlisted': ['draft', 'scheduled', 'published', 'in_progress', 'postponed'],
  'registration.confirmed': ['draft', 'scheduled', 'published', 'in_progress', 'postponed'],
  'registration.declined': ['draft', 'scheduled', 'published', 'in_progress', 'completed', 'cancelled', 'postponed'],
  'registration.cancelled': ['draft', 'scheduled', 'published', 'in_progress', 'completed', 'cancelled', 'postponed'],
  'registration.refused': ['draft', 'scheduled', 'published', 'in_progress', 'completed', 'cancelled', 'postponed'],
  'reminder.due': ['published'],
  'event.starting': ['in_progress'],
  'message.answered': ['draft', 'scheduled', 'published', 'in_progress', 'completed', 'cancelled', 'postponed'],
  message: ['draft', 'scheduled', 'published', 'in_progress', 'completed', 'cancelled', 'postponed'],
  'message.school': ['published'],
  'message.urgent': ['published'],
  'acknowledgement.due': ['published', 'in_progress'],
};

describe('event_state', () => {
  test.each(ALL_TRIGGERS.flatMap((trigger) => EVENT_STATUSES.map((status) => [trigger, status] as const)))(
    '%s while the event is %s',
    (trigger, status) => {
      expect(reason(aMessage(trigger, { status }))).toBe(FITS[trigger].includes(status) ? null : 'event_state');
    },
  );

  test('a start notice of the clock is sent in an event that has begun', () => {
    expect(
      reason(aMessage('event.starting', {}, { fact: aFact('event.started', {}, { actor: 'system' }) })),
    ).toBeNull();
  });

  test('a message of the school is named as withdrawn', () => {
    expect(reason(aMessage('message.school', { status: 'cancelled', is_message: true }))).toBe('withdrawn');
  });
});

describe('a reminder of a chosen time', () => {
  const slots = { length_minutes: 10, hosts: [{ user_id: 'karl', name: 'Karl' }] };
  const chosen = (...minutes: number[]) =>
    minutes.map((minute) => aRegistration({ slots: [{ host_user_id: 'karl', minute }] }));
  const reminded = (event: Partial<SchoolEvent>, time: string, registrations = chosen(30)) =>
    reason(aMessage('reminder.due', { slots, ...event }, { at: at(`2026-10-16T${time}:00Z`), registrations }));

  test.each<[string, EventStatus, string, Reason | null]>([
    ['while others meet', 'in_progress', '18:29', null],
    ['when the meeting begins', 'in_progress', '18:30', 'expired'],
    ['after the event', 'completed', '18:29', 'event_state'],
  ])('%s', (_, status, time, expected) => {
    expect(reminded({ status }, time)).toBe(expected);
  });

  test('is sent while one of the children has not met yet', () => {
    expect(reminded({ status: 'in_progress' }, '18:30', chosen(30, 40))).toBeNull();
  });

  test('is not sent for a later meeting that was cancelled', () => {
    const [met, later] = chosen(30, 40);
    const ended = { ...later, status: 'cancelled' } as ReturnType<typeof aRegistration>;
    expect(reminded({ status: 'in_progress' }, '18:30', [met as typeof ended, ended])).toBe('expired');
  });

  test('is the only message that meetings keep true', () => {
    expect(reason(aMessage('event.cancelled', { status: 'in_progress', slots }))).toBe('event_state');
    const late = { at: at('2026-10-16T18:30:00Z'), registrations: chosen(30) };
    expect(reason(aMessage('registration.confirmed', { status: 'in_progress', slots }, late))).toBeNull();
  });

  test('without chosen times, a reminder has no meeting to be late for', () => {
    expect(reminded({ slots: null }, '18:30')).toBeNull();
  });
});

describe('reminder_removed', () => {
  test.each([
    ['there is none any more', []],
    ['it is on another channel now', [{ ...REMINDER, type: 'sms' }]],
    ['it is at another time now', [{ ...REMINDER, offset: 61 }]],
  ] as [string, SchoolEvent['reminders']][])('a reminder stops if %s', (_, reminders) => {
    expect(reason(aMessage('reminder.due', { reminders }))).toBe('reminder_removed');
    expect(reason(aMessage('event.starting', { reminders }))).toBeNull();
  });
});

describe('schedule_changed', () => {
  test.each(['reminder.due', 'event.starting'] as const)('%s stops after the event was moved', (trigger) => {
    expect(reason(aMessage(trigger, { schedule_version: 4 }))).toBe('schedule_changed');
    expect(reason(aMessage(trigger, { schedule_version: 3 }))).toBeNull();
  });

  test('a confirmation does not depend on the schedule', () => {
    expect(reason(aMessage('registration.confirmed', { schedule_version: 4 }))).toBeNull();
  });
});

describe('superseded', () => {
  test.each<[Trigger, RegistrationStatus, Reason | null]>([
    ['registration.pending', 'pending', null],
    ['registration.pending', 'confirmed', 'superseded'],
    ['registration.pending', 'cancelled', 'registration_ended'],
    ['registration.waitlisted', 'confirmed', 'superseded'],
    ['registration.confirmed', 'cancelled', 'registration_ended'],
    ['registration.cancelled', 'cancelled', null],
    ['registration.declined', 'confirmed', 'superseded'],
  ])('%s of a registration that is %s by then: %s', (trigger, status, expected) => {
    expect(reason(aMessage(trigger, {}, { registrations: [aRegistration({ status })] }))).toBe(expected);
  });

  test('a confirmation stops after other meetings were chosen, unless a sibling has kept theirs', () => {
    const confirmed = (...confirmations: number[]) => ({
      registrations: confirmations.map((confirmation) => aRegistration({ confirmation })),
    });
    expect(reason(aMessage('registration.confirmed', {}, confirmed(2)))).toBe('superseded');
    expect(reason(aMessage('registration.confirmed', {}, confirmed(2, 1)))).toBeNull();
    const [kept, ended] = [aRegistration({ confirmation: 2 }), aRegistration({ status: 'cancelled' })];
    expect(reason(aMessage('registration.confirmed', {}, { registrations: [kept, ended] }))).toBe('superseded');
  });

  test('a revision stops if the event was published again and unpublished once more', () => {
    expect(reason(aMessage('event.unpublished', { sequence: 3 }))).toBe('superseded');
  });

  test.each(['event.postponed', 'event.changed'] as const)('%s stops after a later change', (trigger) => {
    expect(reason(aMessage(trigger, { change_version: 2 }))).toBe('superseded');
    // A postponed event whose time changes without a notice is still postponed.
    expect(reason(aMessage(trigger, { schedule_version: 4 }))).toBeNull();
  });

  test.each(['event.postponed', 'event.changed'] as const)(
    '%s stops after an edit without a notice took it back',
    (trigger) => {
      const event = { location_name: 'Hall' };
      const by = (previous: object) =>
        reason(aMessage(trigger, event, { fact: aFact(trigger, { ...previous, change_version: 1 }) }));
      const known = scheduleOf(anEvent());
      expect(by({ previous: { ...known, start_time: '09:00' } })).toBeNull();
      expect(by({ previous: known, previous_place: { location_name: 'Gym', location: null } })).toBeNull();
      expect(by({ previous: known, previous_place: { location_name: 'Hall', location: null } })).toBe('superseded');
    },
  );

  test('a postponement without a date stops after the event was published', () => {
    const reasonIn = (status: EventStatus, date_known: boolean) =>
      reason(aMessage('event.postponed', { status }, { fact: aFact('event.postponed', { date_known }) }));
    expect([reasonIn('published', false), reasonIn('published', true)]).toEqual(['superseded', null]);
    expect(reasonIn('postponed', false)).toBeNull();
  });

  test('an announcement stops after the event was published again', () => {
    expect(reason(aMessage('event.published', { published_at: at('2026-09-01T08:00:05Z') }))).toBe('superseded');
    expect(reason(aMessage('event.published', { published_at: null }))).toBe('superseded');
  });

  test('a write without a notice stops no message', () => {
    for (const trigger of ALL_TRIGGERS) expect(reason(aMessage(trigger, { version: 99, title: 'Concert' }))).toBeNull();
  });
});

test('the first failing rule is the reason', () => {
  const everything: Partial<Now> = {
    registrations: [aRegistration({ status: 'cancelled' })],
    ...preferring({ eva: { opted_out: ['*:*'] } }),
    suppressed: new Set(['eva@people.example']),
  };
  const off = { send_notifications: false, schedule_version: 4 };
  const about = (event: Partial<SchoolEvent>, now: Partial<Now> = {}) =>
    reason(aMessage('reminder.due', { ...off, ...event }, { ...everything, ...now }, { expires_at: NOW }));
  expect(about({ status: 'cancelled' }, { at: at('2026-08-31T00:00:00Z') })).toBe('event_state');
  expect(about({}, { at: at('2026-08-31T00:00:00Z') })).toBe('schedule_changed');
  expect(about({ tenant_id: 't2' })).toBe('event_gone');
});

describe('an inbox entry is out of date', () => {
  const SEATED_NEWS = ['registration.confirmed', 'registration.pending', 'registration.waitlisted'] as const;
  const schedule = { start_date: '2026-10-16', end_date: '2026-10-16', start_time: '18:00', end_time: '20:00' };
  const outdated = (trigger: Trigger, event: Partial<SchoolEvent> = {}, status?: RegistrationStatus) => {
    const before = anEvent({ ...schedule, published_at: NOW });
    const state = { ...schedule, status: TRUE_IN[trigger][1], ...event };
    const { delivery, now } = aMessage(trigger, state, {}, { sequence: 1 });
    const says = trigger === 'event.published' ? { sequence: 1, says: announcedState(before) } : {};
    const fact = aFact(TRUE_IN[trigger][0], says as never, { occurred_at: NOW });
    const registrations = now.registrations.map((one) => ({ ...one, status: status ?? one.status }));
    return isOutdated(delivery, { event: now.event as SchoolEvent, fact, registrations });
  };
  const outdatedBy = (event: Partial<SchoolEvent>, status?: RegistrationStatus) =>
    ALL_TRIGGERS.filter((trigger) => outdated(trigger, event, status)).sort();

  test.each<[string, Partial<SchoolEvent>, Trigger[]]>([
    ['nothing', {}, []],
    ['a new description', { description: 'More' }, []],
    ['the event having begun', { status: 'in_progress' }, []],
    ['the event being over', { status: 'completed' }, []],
    ['another publication with the same date and place', { published_at: at('2026-09-02T08:00:00Z') }, []],
    ['a later notice of a change', { change_version: 2 }, ['event.changed', 'event.postponed']],
    [
      'another date',
      { start_date: '2026-10-17', schedule_version: 4 },
      ['event.changed', 'event.postponed', 'event.published', 'event.starting', ...SEATED_NEWS, 'reminder.due'],
    ],
    ['another place', { location_name: 'Gym' }, ['event.published']],
    [
      'a cancellation',
      { status: 'cancelled' },
      ALL_TRIGGERS.filter((trigger) => !FITS[trigger].includes('cancelled')).sort(),
    ],
    [
      'the event being unpublished',
      { status: 'draft' },
      [
        'acknowledgement.due',
        'event.cancelled',
        'event.changed',
        'event.published',
        'event.starting',
        'message.school',
        'message.urgent',
        'reminder.due',
      ],
    ],
  ])('after %s', (_, event, triggers) => {
    expect(outdatedBy(event)).toEqual(triggers);
  });

  test('after its registration ended, if it is about that registration', () => {
    expect(outdatedBy({}, 'cancelled')).toEqual(['event.starting', ...SEATED_NEWS, 'reminder.due']);
  });

  test('after other meetings were chosen', () => {
    const { delivery, now } = aMessage('registration.confirmed');
    const state = {
      event: now.event as SchoolEvent,
      fact: now.fact,
      registrations: [aRegistration({ confirmation: 2 })],
    };
    expect(isOutdated(delivery, state)).toBe(true);
  });

  test('by the dates that it states, not by those of another date of the series', () => {
    const { delivery, now } = aMessage('event.changed', {}, {}, { schedule_version: 9 });
    expect(isOutdated(delivery, now as Parameters<typeof isOutdated>[1])).toBe(false);
  });

  test.each([
    ['the present date, after an edit before it was written', 2, '2026-10-17', false],
    ['the date before an edit', 1, '2026-10-17', true],
    ['a date between two edits, the second of which undid the first', 2, '2026-10-16', true],
    ['the first date, after two edits that changed nothing', 1, '2026-10-16', false],
  ])('or not if it is an announcement that states %s', (_, sequence, start_date, expected) => {
    const says = announcedState(anEvent(schedule));
    const edited = { ...schedule, start_date, sequence: start_date === schedule.start_date ? 3 : 2 };
    const { delivery, now } = aMessage('event.published', edited, {}, { sequence });
    const fact = aFact('event.published', { sequence: 1, schedule_version: 3, says });
    expect(isOutdated(delivery, { event: now.event as SchoolEvent, fact, registrations: [] })).toBe(expected);
  });

  test('never because an older announcement does not say what it stated', () => {
    const { delivery, now } = aMessage('event.published', { sequence: 3 });
    expect(isOutdated(delivery, now as Parameters<typeof isOutdated>[1])).toBe(false);
  });

  test.each([
    ['event.changed', { change_version: 2 }],
    ['event.published', { sequence: 3 }],
  ] as const)('never because the fact of %s was deleted', (trigger, event) => {
    const { delivery, now } = aMessage(trigger, event);
    expect(isOutdated(delivery, { event: now.event as SchoolEvent, fact: null, registrations: [] })).toBe(false);
  });
});
