import type { Fact, FactType, NewFact } from '../../outbox/fact.ts';
import { CHANNELS, type Channel } from '../../people/channels.ts';
import type { School } from '../../people/school.ts';

export { CHANNELS, type Channel };

/** What a message is about (§6, and `event.changed` of decisions.md). Each has a folder of templates. */
export const TRIGGERS = {
  'event.published': {
    recipients: 'audience',
    channels: ['email', 'push', 'in_app'],
    fits: ['published', 'in_progress'],
    urgent: false,
    mandatory: [],
  },
  'event.cancelled': {
    recipients: 'registered',
    channels: ['email', 'sms', 'push', 'in_app'],
    fits: ['cancelled'],
    urgent: true,
    mandatory: ['email', 'in_app'],
  },
  'event.postponed': {
    recipients: 'registered',
    channels: ['email', 'sms', 'push', 'in_app'],
    fits: ['postponed', 'published', 'scheduled', 'draft'],
    urgent: true,
    mandatory: ['email', 'in_app'],
  },
  'event.changed': {
    recipients: 'registered',
    channels: ['email', 'sms', 'push', 'in_app'],
    fits: ['published', 'in_progress'],
    urgent: true,
    mandatory: [],
  },
  'registration.confirmed': {
    recipients: 'registrant',
    channels: ['email', 'in_app'],
    fits: ['published', 'in_progress', 'postponed', 'scheduled', 'draft'],
    urgent: true,
    mandatory: [],
  },
  'reminder.due': {
    recipients: 'confirmed',
    channels: [],
    fits: ['published'],
    urgent: false,
    mandatory: [],
  },
  'event.starting': {
    recipients: 'confirmed',
    channels: ['push', 'in_app'],
    fits: ['in_progress'],
    urgent: false,
    mandatory: [],
  },
  message: {
    recipients: 'filtered',
    channels: [],
    fits: ['draft', 'scheduled', 'published', 'in_progress', 'completed', 'cancelled', 'postponed'],
    urgent: false,
    mandatory: [],
  },
} as const satisfies Record<string, TriggerRule>;

type TriggerRule = {
  /** audience: contacts who match and may see it · registered: pending, confirmed, waitlisted · filtered: those of them the fact says · confirmed · registrant */
  recipients: 'audience' | 'registered' | 'filtered' | 'confirmed' | 'registrant';
  /** default channels; a reminder has its own type instead */
  channels: readonly Channel[];
  /** the states of the event in which the message is still true */
  fits: readonly string[];
  /** ahead of bulk */
  urgent: boolean;
  /** channels that can't be opted out of */
  mandatory: readonly Channel[];
};

export type Trigger = keyof typeof TRIGGERS;

export const ruleOf = (trigger: Trigger): TriggerRule => TRIGGERS[trigger];

const TRIGGER_OF: Partial<Record<FactType, Trigger>> = {
  'event.published': 'event.published',
  'event.cancelled': 'event.cancelled',
  'event.postponed': 'event.postponed',
  'event.changed': 'event.changed',
  'event.started': 'event.starting',
  'registration.confirmed': 'registration.confirmed',
  'reminder.due': 'reminder.due',
  'message.requested': 'message',
};

/** Facts that many are told of; a confirmation is told to the one it is about. */
export const TOLD_FACTS = (Object.keys(TRIGGER_OF) as FactType[]).filter((type) => type !== 'registration.confirmed');

/** What people are told because of a fact, if anything: of a series published at once its first announcement tells. */
export const triggerOf = (fact: NewFact): Trigger | null =>
  fact.type === 'event.published' && fact.data.announced_with ? null : (TRIGGER_OF[fact.type] ?? null);

/** Facts people are told of at once, ahead of all bulk. */
export const URGENT_FACTS: readonly FactType[] = (Object.keys(TRIGGER_OF) as FactType[]).filter((type) => {
  const trigger = TRIGGER_OF[type];
  return trigger !== undefined && TRIGGERS[trigger].urgent;
});

export const isUrgentFact = (type: FactType): boolean => URGENT_FACTS.includes(type);

/** Triggers whose channels a school may choose: a reminder has its own type, and a message what staff chose. */
export const CHOOSABLE = (Object.keys(TRIGGERS) as Trigger[]).filter(
  (trigger) => TRIGGERS[trigger].channels.length > 0,
);

/**
 * The channels of one fact: a reminder's own type, what staff chose for a message, the school's own choice, the table
 * above for the rest. What is mandatory stays so, whatever a school chose.
 */
export function channelsOf(fact: Fact, trigger: Trigger, chosen: School['channels'] = {}): readonly Channel[] {
  if (fact.type === 'message.requested') return fact.data.channels as Channel[];
  if (fact.type === 'reminder.due') return [fact.data.type as Channel];
  const own = Object.hasOwn(chosen, trigger) ? chosen[trigger] : undefined;
  const { channels, mandatory } = ruleOf(trigger);
  return own ? CHANNELS.filter((channel) => own.includes(channel) || mandatory.includes(channel)) : channels;
}
