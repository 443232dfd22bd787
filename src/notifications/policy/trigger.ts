import { EVENT_STATUSES, type EventStatus, type SchoolEvent } from '../../events/event.ts';
import type { Fact, FactType, NewFact } from '../../outbox/fact.ts';
import { CHANNELS, type Channel, descriptorOf, withFallback } from '../../people/channels.ts';
import type { School } from '../../people/school.ts';
import type { RegistrationStatus } from '../../registrations/registration.ts';

export { CHANNELS, type Channel };

/**
 * One reason to notify people (§6, and `event.changed` of docs/decisions.md): who is notified of which fact, on which channels,
 * and until when the message is worth sending. Each trigger also has a folder of templates.
 */
type TriggerRule<T extends FactType = FactType> = {
  /** the fact that causes the messages */
  fact: T;
  /** audience: matching contacts who may see it · registered: pending, confirmed, waitlisted · filtered: those that the fact selects · confirmed · registrant */
  recipients: 'audience' | 'registered' | 'filtered' | 'confirmed' | 'registrant';
  /** default channels; a reminder has its own type instead, and a message of staff those that they chose */
  channels: readonly Channel[];
  /** channels that can't be opted out of */
  mandatory: readonly Channel[];
  /** whether a school may turn the message off on all channels, also on mandatory ones */
  maySwitchOff: boolean;
  /** sent before bulk */
  urgent: boolean;
  /** the event statuses in which the message is still true */
  fits: readonly EventStatus[];
  /** the statuses of the registration in which it is still true, if it concerns one */
  holds: readonly RegistrationStatus[];
  /** when the message becomes useless (docs/decisions.md, "too late"); null: never, it is retried for a day */
  expiresAt(event: SchoolEvent): Date | null;
  /** the part of the delivery key that distinguishes messages of the trigger (docs/delivery.md, "Delivery key") */
  version(fact: Fact<T>, to: { registration_id: string | null; confirmation: number }): string;
  /** whether a message with another schedule version than the event is stale */
  isTimed?: boolean;
  /** whether a later fact covers this one, so that the message is not sent any more */
  isSuperseded?(fact: Fact<T>, event: SchoolEvent): boolean;
  /** whether quiet hours defer the message: never (default), at night, or at night if the event is more than a day ahead */
  deferral?: 'at night' | 'at night, a day ahead';
  /** whether days without school defer it too */
  waitsForSchoolDays?: boolean;
  /** the calendar object of its e-mail: `date_known` is false after a postponement without a new date */
  calendar?(date_known: boolean): 'REQUEST' | 'CANCEL' | null;
  /** whether a second SMS is better than none if the outcome of the first is unknown */
  repeatsSms?: boolean;
};

type Usual = 'mandatory' | 'maySwitchOff' | 'urgent' | 'holds';

const rule = <T extends FactType>(
  row: Omit<TriggerRule<T>, Usual> & Partial<Pick<TriggerRule<T>, Usual>>,
): TriggerRule<T> => ({
  mandatory: [],
  maySwitchOff: true,
  urgent: false,
  holds: ['pending', 'confirmed', 'waitlisted'],
  ...row,
});

const START_NOTICE_MS = 15 * 60_000;

/** The event statuses in which news about a registration is still true. */
const BEFORE_THE_END: readonly EventStatus[] = ['published', 'in_progress', 'postponed', 'scheduled', 'draft'];

const bySequence = ({ data }: { data: { sequence: number } }): string => String(data.sequence);

/** A later notice covers this change, because it starts from the last announced date and place. */
const isOlderChange = ({ data }: { data: { change_version: number } }, { change_version }: SchoolEvent): boolean =>
  data.change_version !== change_version;

export const TRIGGERS = {
  'event.published': rule({
    fact: 'event.published',
    recipients: 'audience',
    channels: ['email', 'push', 'in_app'],
    fits: ['published', 'in_progress'],
    expiresAt: ({ ends_at }) => ends_at,
    version: bySequence,
    // An event that is published again has another announcement.
    isSuperseded: ({ occurred_at }, { published_at }) => published_at?.getTime() !== occurred_at.getTime(),
    deferral: 'at night',
    waitsForSchoolDays: true,
  }),
  'event.cancelled': rule({
    fact: 'event.cancelled',
    recipients: 'registered',
    channels: ['email', 'sms', 'push', 'in_app'],
    mandatory: ['email', 'in_app'],
    maySwitchOff: false,
    urgent: true,
    fits: ['cancelled'],
    expiresAt: () => null,
    version: bySequence,
    calendar: () => 'CANCEL',
    repeatsSms: true,
  }),
  'event.postponed': rule({
    fact: 'event.postponed',
    recipients: 'registered',
    channels: ['email', 'sms', 'push', 'in_app'],
    mandatory: ['email', 'in_app'],
    maySwitchOff: false,
    urgent: true,
    fits: ['postponed', 'published', 'scheduled', 'draft'],
    expiresAt: () => null,
    version: bySequence,
    isSuperseded: isOlderChange,
    deferral: 'at night, a day ahead',
    // An unknown date is removed from calendars, because the old one would mislead.
    calendar: (date_known) => (date_known ? 'REQUEST' : 'CANCEL'),
    repeatsSms: true,
  }),
  'event.changed': rule({
    fact: 'event.changed',
    recipients: 'registered',
    channels: ['email', 'sms', 'push', 'in_app'],
    urgent: true,
    fits: ['published', 'in_progress'],
    expiresAt: ({ ends_at }) => ends_at,
    version: bySequence,
    isSuperseded: isOlderChange,
    deferral: 'at night, a day ahead',
    calendar: () => 'REQUEST',
  }),
  'event.unpublished': rule({
    fact: 'event.unpublished',
    recipients: 'registered',
    channels: ['email', 'sms', 'push', 'in_app'],
    mandatory: ['in_app'],
    urgent: true,
    fits: ['draft', 'scheduled'],
    expiresAt: ({ ends_at }) => ends_at,
    version: bySequence,
    // An event that is published again within two minutes notifies nobody.
    isSuperseded: ({ data }, { sequence }) => data.sequence !== sequence,
    deferral: 'at night, a day ahead',
  }),
  'registration.pending': rule({
    fact: 'registration.pending',
    recipients: 'registrant',
    channels: ['email', 'in_app'],
    mandatory: ['in_app'],
    fits: BEFORE_THE_END,
    holds: ['pending'],
    expiresAt: ({ ends_at }) => ends_at,
    version: ({ id }) => id,
  }),
  'registration.waitlisted': rule({
    fact: 'registration.waitlisted',
    recipients: 'registrant',
    channels: ['email', 'in_app'],
    mandatory: ['in_app'],
    fits: BEFORE_THE_END,
    holds: ['waitlisted'],
    expiresAt: ({ ends_at }) => ends_at,
    version: ({ id }) => id,
  }),
  'registration.confirmed': rule({
    fact: 'registration.confirmed',
    recipients: 'registrant',
    channels: ['email', 'in_app'],
    mandatory: ['in_app'],
    urgent: true,
    fits: BEFORE_THE_END,
    holds: ['confirmed'],
    expiresAt: ({ ends_at }) => ends_at,
    version: (_fact, { registration_id, confirmation }) => `${registration_id}/${confirmation}`,
    calendar: (date_known) => (date_known ? 'REQUEST' : null),
    repeatsSms: true,
  }),
  'registration.declined': rule({
    fact: 'registration.cancelled',
    recipients: 'registrant',
    channels: ['email', 'in_app'],
    mandatory: ['in_app'],
    fits: EVENT_STATUSES,
    holds: ['cancelled'],
    expiresAt: ({ ends_at }) => ends_at,
    version: ({ id }) => id,
  }),
  'registration.cancelled': rule({
    fact: 'registration.cancelled',
    recipients: 'registrant',
    channels: ['email', 'sms', 'push', 'in_app'],
    mandatory: ['email', 'in_app'],
    maySwitchOff: false,
    urgent: true,
    fits: EVENT_STATUSES,
    holds: ['cancelled'],
    expiresAt: ({ ends_at }) => ends_at,
    version: ({ id }) => id,
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
  }),
  'event.starting': rule({
    fact: 'event.started',
    recipients: 'confirmed',
    channels: ['push', 'in_app'],
    fits: ['in_progress'],
    holds: ['confirmed'],
    expiresAt: ({ starts_at }) => new Date(starts_at.getTime() + START_NOTICE_MS),
    version: ({ data }) => String(data.schedule_version),
    isTimed: true,
  }),
  message: rule({
    fact: 'message.requested',
    recipients: 'filtered',
    channels: [],
    fits: EVENT_STATUSES,
    expiresAt: () => null,
    version: ({ id }) => id,
    deferral: 'at night',
    waitsForSchoolDays: true,
  }),
};

export type Trigger = keyof typeof TRIGGERS;

export const ruleOf = (trigger: Trigger): TriggerRule => TRIGGERS[trigger] as TriggerRule;

const ALL = Object.keys(TRIGGERS) as Trigger[];

const factsOf = (isWanted: (rule: TriggerRule) => boolean): readonly FactType[] => [
  ...new Set(ALL.map(ruleOf).flatMap((one) => (isWanted(one) ? [one.fact] : []))),
];

const TRIGGER_OF = new Map(ALL.map((trigger) => [ruleOf(trigger).fact, trigger]));

/** Facts that concern one registrant. */
export const PERSONAL_FACTS = factsOf(({ recipients }) => recipients === 'registrant');

/** Facts of which many people are notified. */
export const BROADCAST_FACTS = factsOf(({ recipients }) => recipients !== 'registrant');

/**
 * The trigger of a fact, or null if it notifies no one: the message of the lead occurrence names the other dates of its
 * series, and people who cancel their own registration know.
 */
export function triggerOf(fact: NewFact): Trigger | null {
  if ('announced_with' in fact.data) return null;
  if (fact.type === 'registration.cancelled') {
    if (fact.data.declined) return 'registration.declined';
    return fact.data.by_staff ? 'registration.cancelled' : null;
  }
  return TRIGGER_OF.get(fact.type) ?? null;
}

/** Facts whose messages go ahead of all bulk. */
export const URGENT_FACTS = factsOf(({ urgent }) => urgent);

export const isUrgentFact = (type: FactType): boolean => URGENT_FACTS.includes(type);

/** Triggers whose channels a school may choose; reminders and staff messages name their own. */
export const CHOOSABLE = ALL.filter((trigger) => ruleOf(trigger).channels.length > 0);

/** The channel that takes over from this one, if it was chosen too and both have settings. */
export function fallbackOf(channel: Channel, chosen: readonly Channel[], open: ReadonlySet<Channel>): Channel | null {
  const { fallback } = descriptorOf(channel);
  return fallback && withFallback(channel).every((one) => chosen.includes(one) && open.has(one)) ? fallback : null;
}

/**
 * The channels of a trigger: the choice of the school, else the default. A school can't leave out mandatory channels, unless
 * it may turn the trigger off altogether.
 */
export function chosenChannels(trigger: Trigger, chosen: School['channels'] = {}): readonly Channel[] {
  const own = Object.hasOwn(chosen, trigger) ? chosen[trigger] : undefined;
  const { channels, mandatory, maySwitchOff } = ruleOf(trigger);
  if (!own) return channels;
  if (own.length === 0 && maySwitchOff) return [];
  return CHANNELS.filter((channel) => own.includes(channel) || mandatory.includes(channel));
}

/** The channels of one fact: the type of a reminder, the choice of staff for a message, else those of the trigger. */
export function channelsOf(fact: Fact, trigger: Trigger, chosen: School['channels'] = {}): readonly Channel[] {
  if (fact.type === 'message.requested') return fact.data.channels as Channel[];
  if (fact.type === 'reminder.due') return [fact.data.type as Channel];
  return chosenChannels(trigger, chosen);
}
