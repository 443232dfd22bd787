import { EVENT_STATUSES, type EventStatus, type SchoolEvent } from '../../events/event.ts';
import { ACTIVE_STATUSES } from '../../events/find-confirmed.ts';
import { hasState, placeOf } from '../../events/rules/unannounced-changes.ts';
import type { Fact, FactType } from '../../outbox/fact.ts';
import { isActive, type RegistrationState } from '../../registrations/registration.ts';
import type { TriggerRule } from './trigger-rule.ts';

type Usual = 'mandatory' | 'maySwitchOff' | 'urgent' | 'holds' | 'expiresAt' | 'version';

/** The rule of one trigger, with the usual values for what it leaves out. */
const rule = <T extends FactType>(
  row: Omit<TriggerRule<T>, Usual> & Partial<Pick<TriggerRule<T>, Usual>>,
): TriggerRule<T> => ({
  mandatory: [],
  maySwitchOff: true,
  urgent: false,
  holds: ACTIVE_STATUSES,
  expiresAt: ({ ends_at }) => ends_at,
  version: ({ id }) => id,
  ...row,
});

const START_NOTICE_MS = 15 * 60_000;

/** The event statuses in which news about a registration is still true. */
const BEFORE_THE_END: readonly EventStatus[] = ['published', 'in_progress', 'postponed', 'scheduled', 'draft'];

const bySequence = ({ data }: { data: { sequence: number } }): string => String(data.sequence);

/** A later notice covers this change, because it starts from the last announced date and place. */
const isOlderChange = ({ data }: { data: { change_version: number } }, { change_version }: SchoolEvent): boolean =>
  data.change_version !== change_version;

/** Whether the event has the date and place again that people know. */
const isUndone = ({ data }: Fact<'event.changed' | 'event.postponed'>, event: SchoolEvent): boolean =>
  hasState(event, data.previous, placeOf(data.previous_place ?? event));

/** Messages that staff write name their own channels and do not expire. */
const OF_STAFF = { channels: [], expiresAt: () => null } as const;

/** News for everyone who is registered. */
const OF_EVENT = { recipients: 'registered', channels: ['email', 'sms', 'push', 'in_app'], urgent: true } as const;

/** Too important to be turned off by a school or a person. */
const ALWAYS_SENT = { mandatory: ['email', 'in_app'], maySwitchOff: false } as const;

/** News about a registration. */
const OF_REGISTRATION = { recipients: 'registrant', channels: ['email', 'in_app'], mandatory: ['in_app'] } as const;

/** News that a registration ended is superseded if the person is registered again: it would seem to be about the new one. */
const ENDED = {
  holds: ['cancelled'],
  givesReason: true,
  isSuperseded: (_fact: Fact, _event: SchoolEvent, registrations: readonly RegistrationState[]) =>
    registrations.some(({ status }) => isActive(status)),
} as const;

/** News that can wait for the end of quiet hours and holidays. */
const WAITING = { deferral: 'at night', waitsForSchoolDays: true } as const;

/** All reasons to notify people: one row for each. */
export const TRIGGERS = {
  'event.published': rule({
    fact: 'event.published',
    recipients: 'audience',
    channels: ['email', 'push', 'in_app'],
    fits: ['published', 'in_progress'],
    version: bySequence,
    // An event that is published again has another announcement.
    isSuperseded: ({ occurred_at }, { published_at }) => published_at?.getTime() !== occurred_at.getTime(),
    asksAcknowledgement: true,
    ...WAITING,
    showsPrice: true,
  }),
  'event.cancelled': rule({
    fact: 'event.cancelled',
    ...OF_EVENT,
    ...ALWAYS_SENT,
    givesReason: true,
    fits: ['cancelled'],
    expiresAt: () => null,
    version: bySequence,
    calendar: () => 'CANCEL',
    repeatsSms: true,
  }),
  'event.postponed': rule({
    fact: 'event.postponed',
    ...OF_EVENT,
    ...ALWAYS_SENT,
    givesReason: true,
    fits: ['postponed', 'published', 'scheduled', 'draft'],
    expiresAt: () => null,
    version: bySequence,
    isSuperseded: (fact, event) =>
      isOlderChange(fact, event) || (fact.data.date_known ? isUndone(fact, event) : event.status === 'published'),
    deferral: 'at night, a day ahead',
    // An unknown date is removed from calendars, because the old one would mislead.
    calendar: (date_known) => (date_known ? 'REQUEST' : 'CANCEL'),
    repeatsSms: true,
  }),
  'event.changed': rule({
    fact: 'event.changed',
    ...OF_EVENT,
    fits: ['published', 'in_progress'],
    version: bySequence,
    isSuperseded: (fact, event) => isOlderChange(fact, event) || isUndone(fact, event),
    deferral: 'at night, a day ahead',
    calendar: () => 'REQUEST',
    isPlanned: true,
  }),
  'event.unpublished': rule({
    fact: 'event.unpublished',
    ...OF_EVENT,
    mandatory: ['in_app'],
    fits: ['draft', 'scheduled'],
    version: bySequence,
    // If the event is published again within two minutes, no one is notified.
    isSuperseded: ({ data }, { sequence }) => data.sequence !== sequence,
    deferral: 'at night, a day ahead',
    isPlanned: true,
  }),
  'registration.pending': rule({
    fact: 'registration.pending',
    ...OF_REGISTRATION,
    fits: BEFORE_THE_END,
    holds: ['pending'],
  }),
  'registration.waitlisted': rule({
    fact: 'registration.waitlisted',
    ...OF_REGISTRATION,
    fits: BEFORE_THE_END,
    holds: ['waitlisted'],
  }),
  'registration.confirmed': rule({
    fact: 'registration.confirmed',
    ...OF_REGISTRATION,
    urgent: true,
    fits: BEFORE_THE_END,
    holds: ['confirmed'],
    version: ({ data }) => `${data.registration_id}/${data.confirmation}`,
    // Other meetings that were chosen since have a confirmation of their own.
    isSuperseded: ({ data }, _, registrations) => {
      const confirmed = registrations.filter(({ status }) => status === 'confirmed');
      return confirmed.length > 0 && confirmed.every(({ confirmation }) => confirmation > data.confirmation);
    },
    calendar: (date_known) => (date_known ? 'REQUEST' : null),
    repeatsSms: true,
    showsPrice: true,
  }),
  'registration.declined': rule<'registration.cancelled'>({
    fact: 'registration.cancelled',
    // People who cancel their own registration know.
    applies: ({ by_staff, declined }) => by_staff === true && declined === true,
    ...OF_REGISTRATION,
    fits: EVENT_STATUSES,
    ...ENDED,
    // An invitation, a confirmation or a change may have put the event into the calendar.
    calendar: () => 'CANCEL',
  }),
  'registration.refused': rule({
    fact: 'registration.refused',
    ...OF_REGISTRATION,
    givesReason: true,
    urgent: true,
    fits: EVENT_STATUSES,
    // One message a day for each reason, so that a calendar that answers by itself can't cause a flood.
    version: ({ data, occurred_at }) => `${data.code}/${occurred_at.toISOString().slice(0, 10)}`,
    // The calendar shows the event as accepted.
    calendar: () => 'CANCEL',
  }),
  'registration.cancelled': rule<'registration.cancelled'>({
    fact: 'registration.cancelled',
    applies: ({ by_staff, declined }) => by_staff === true && !declined,
    recipients: 'registrant',
    channels: ['email', 'sms', 'push', 'in_app'],
    ...ALWAYS_SENT,
    urgent: true,
    fits: EVENT_STATUSES,
    ...ENDED,
    calendar: () => 'CANCEL',
    repeatsSms: true,
  }),
  'reminder.due': rule({
    fact: 'reminder.due',
    recipients: 'confirmed',
    channels: [],
    fits: ['published'],
    holds: ['confirmed'],
    expiresAt: ({ starts_at }) => starts_at,
    version: ({ data }) => `${data.schedule_version}/${data.offset}/${data.type}`,
    isTimed: true,
    deferral: 'at night',
    showsPrice: true,
    isPlanned: true,
  }),
  'event.starting': rule({
    fact: 'event.started',
    recipients: 'confirmed',
    channels: ['push', 'in_app'],
    fits: ['in_progress'],
    holds: ['confirmed'],
    // All-day events start at midnight, and the notice waits for the end of quiet hours.
    expiresAt: ({ all_day, starts_at, ends_at }) =>
      all_day ? ends_at : new Date(starts_at.getTime() + START_NOTICE_MS),
    version: ({ data }) => String(data.schedule_version),
    isTimed: true,
    deferral: 'at night, all-day',
  }),
  message: rule({ fact: 'message.requested', recipients: 'filtered', fits: EVENT_STATUSES, ...OF_STAFF, ...WAITING }),
  'message.school': rule({
    fact: 'message.school',
    recipients: 'audience',
    fits: ['published'],
    asksAcknowledgement: true,
    ...OF_STAFF,
    ...WAITING,
  }),
  'message.urgent': rule({
    fact: 'message.urgent',
    recipients: 'audience',
    fits: ['published'],
    asksAcknowledgement: true,
    ...OF_STAFF,
    ...ALWAYS_SENT,
    urgent: true,
    repeatsSms: true,
  }),
  'acknowledgement.due': rule({
    fact: 'acknowledgement.reminded',
    recipients: 'unacknowledged',
    channels: ['email', 'push', 'in_app'],
    fits: ['published', 'in_progress'],
    expiresAt: () => null,
    asksAcknowledgement: true,
    ...WAITING,
  }),
  'message.answered': rule({
    fact: 'message.answered',
    applies: ({ forwarded }) => forwarded,
    recipients: 'organizer',
    channels: ['email', 'in_app'],
    fits: EVENT_STATUSES,
    expiresAt: () => null,
  }),
};

export type Trigger = keyof typeof TRIGGERS;

export const ruleOf = (trigger: Trigger): TriggerRule => TRIGGERS[trigger];
