import { fromKeys } from '../../../src/core/objects.ts';
import { instantOf } from '../../../src/core/zoned-time.ts';
import type { SchoolEvent } from '../../../src/events/event.ts';
import { contentOf } from '../../../src/notifications/content/content.ts';
import type { Content, ContentInput, PersonValues } from '../../../src/notifications/content/message.ts';
import { ALL_TRIGGERS } from '../../../src/notifications/policy/trigger.ts';
import { ruleOf, type Trigger } from '../../../src/notifications/policy/trigger-table.ts';
import type { Fact, FactData, FactType, Schedule } from '../../../src/outbox/fact.ts';
import { anEvent, aSchool } from '../../support/builders.ts';
import { aFact } from '../../support/message-builders.ts';

const SCOPE = { tenant_id: 'tenant-1', school_id: 'school-1' };

/** An autumn fair in Prague, one evening in September 2026. */
export function fair(changes: Partial<SchoolEvent> = {}): SchoolEvent {
  const event = anEvent({
    ...SCOPE,
    id: '0197c1a2-7b1e-7c3d-9a4f-1c2d3e4f5a6b',
    title: 'Autumn fair',
    translations: null,
    description: 'Stalls, music and something warm to drink.\n\nBring your family, and a bag for apples.',
    event_type: 'social',
    visibility: 'internal',
    start_date: '2026-09-07',
    end_date: '2026-09-07',
    end_time: '19:30',
    timezone: 'Europe/Prague',
    location: { name: 'Aula', room: '12', building: 'Main building', address: 'Lipová 4, Praha' },
    organizer_id: null,
    registration_type: 'optional',
    updated_at: new Date('2026-08-02T08:00:00Z'),
    published_at: new Date('2026-08-02T08:00:00Z'),
    version: 7,
    sequence: 3,
    schedule_version: 2,
    ...changes,
  });
  const zone = event.timezone;
  return {
    ...event,
    starts_at: instantOf({ date: event.start_date, time: event.start_time ?? '00:00', zone }),
    ends_at: instantOf({ date: event.end_date, time: event.end_time ?? '23:59', zone }),
  };
}

export const oldDates: Schedule = {
  start_date: '2026-09-01',
  end_date: '2026-09-01',
  start_time: '17:00',
  end_time: '18:30',
  timezone: 'Europe/Prague',
  all_day: false,
};

export const theSchool = aSchool({ ...SCOPE, name: 'Základní škola Lipová', sender_name: 'ZŠ Lipová' });

export const factOf = <T extends FactType>(
  type: T,
  data: Partial<FactData[T]> = {},
  changes: Parameters<typeof aFact>[2] = {},
): Fact => {
  const occurred_at = new Date('2026-08-20T10:15:00Z');
  return { ...aFact(type, data, { event_id: fair().id, occurred_at, actor: 'system', ...changes }), ...SCOPE } as Fact;
};

const ref = { registration_id: 'r-1', user_id: 'u-1' };
const ENDED = { reason: 'Only one class fits on the bus.', freed_seat: true };

/** The fact behind each trigger. */
export const FACTS: Record<Trigger, Fact> = {
  ...fromKeys(ALL_TRIGGERS, (trigger) => factOf(ruleOf(trigger).fact)),
  'event.published': factOf('event.published', { sequence: 1, schedule_version: 2 }),
  'event.cancelled': factOf('event.cancelled', { sequence: 3, reason: 'The hall was flooded.' }),
  'event.postponed': factOf('event.postponed', {
    sequence: 3,
    schedule_version: 2,
    reason: 'The band is ill.',
    previous: oldDates,
  }),
  'event.changed': factOf('event.changed', {
    sequence: 3,
    schedule_version: 2,
    fields: ['start_date'],
    previous: oldDates,
    tell_at: new Date('2026-08-30T08:02:00Z'),
  }),
  'event.unpublished': factOf('event.unpublished', { sequence: 3, tell_at: new Date('2026-08-20T10:17:00Z') }),
  'registration.pending': factOf('registration.pending', ref),
  'registration.waitlisted': factOf('registration.waitlisted', { ...ref, waitlist_number: 7, position: 3 }),
  'registration.confirmed': factOf('registration.confirmed', { ...ref, confirmation: 1 }),
  'registration.declined': factOf('registration.cancelled', { ...ref, ...ENDED, declined: true }),
  'registration.cancelled': factOf('registration.cancelled', { ...ref, ...ENDED, by_staff: true }),
  'registration.refused': factOf('registration.refused', { user_id: 'u-1', code: 'registration_closed' }),
  'reminder.due': factOf('reminder.due', { reminder_id: 'm-1', type: 'email', offset: 60, schedule_version: 2 }),
  'message.answered': factOf('message.answered', {
    sid: 'SM1',
    user_id: 'u-1',
    name: 'Jana Nováková',
    email: 'jana@rodina.example',
    channel: 'sms',
    text: 'We come by car & bring apples.',
    forwarded: true,
  }),
  message: factOf('message.requested', {
    subject: 'What to bring',
    body: 'Dear parents,\n\nplease bring a raincoat & boots.\nWe meet at the gate.',
    channels: ['email', 'sms', 'push', 'in_app'],
  }),
  'event.starting': factOf('event.started', { schedule_version: 2 }),
};

const STATUS: Partial<Record<Trigger, SchoolEvent['status']>> = {
  'event.cancelled': 'cancelled',
  'event.postponed': 'postponed',
  'event.starting': 'in_progress',
  'event.unpublished': 'draft',
};

/** A Content as the notifications compose it, with the overrides of a test. */
export function contentFor(
  trigger: Trigger,
  changes: Partial<ContentInput> & { about?: Partial<SchoolEvent> } = {},
): Content {
  const { about, ...rest } = changes;
  const status = STATUS[trigger] ?? 'published';
  const postponed_to = trigger === 'event.postponed' ? new Date('2026-09-07T16:00:00Z') : null;
  const is_message = trigger === 'message.school' || trigger === 'message.urgent';
  const event = { ...fair({ status, postponed_to, ...about }), ...(is_message ? { is_message } : {}) };
  const fact = FACTS[trigger];
  return contentOf({
    event,
    fact,
    dates: [{ event: rest.event ?? event, fact: rest.fact ?? fact }],
    trigger,
    channel: 'email',
    school: theSchool,
    locale: 'en',
    timezone: 'Europe/Prague',
    publicUrl: 'https://school.example',
    ...rest,
  });
}

export const jana: PersonValues = {
  name: 'Jana Nováková',
  on_behalf_of: 'Eva, Jan',
  unsubscribe_url:
    'https://school.example/unsubscribe/eyJhbGciOiJIUzI1NiJ9.dGVuYW50LTE6dS0xOmV2ZW50LnB1Ymxpc2hlZA.Yx5a1Qz0lB',
  place_url: 'https://school.example/place/AZrXk2p_cAqzJ8yF0bW1xKq3rT9mVh2LsPdNcA',
  acknowledgement_url: 'https://school.example/ack/AZrXk2p_cAqzJ8yF0bW1xKq3rT9mVh2L',
  position: '3',
  meetings: '16:20–16:30, Jan Dvořák (Eva); 16:40–16:50, Jan Dvořák (Jan)',
  registered: 'yes',
  attends: '',
  several: '',
};

export const sender = { from: 'Schoolbell <school@school.example>', messageDomain: 'school.example' };
