import type { SchoolEvent } from '../../events/event.ts';
import type { Fact, FactType, NewFact } from '../../outbox/fact.ts';
import { CHANNELS, type Channel, descriptorOf, withFallback } from '../../people/channels.ts';
import type { School } from '../../people/school.ts';
import { isAnsweredByYes } from '../../registrations/answers.ts';
import { isAfterDeadline } from '../../registrations/seats/admission.ts';
import type { TriggerRule } from './trigger-rule.ts';
import { ruleOf, TRIGGERS, type Trigger } from './trigger-table.ts';

export const ALL_TRIGGERS = Object.keys(TRIGGERS) as Trigger[];

const factsOf = (isWanted: (rule: TriggerRule) => boolean): readonly FactType[] => [
  ...new Set(ALL_TRIGGERS.map(ruleOf).flatMap((one) => (isWanted(one) ? [one.fact] : []))),
];

/** Facts that concern one registrant. */
export const PERSONAL_FACTS = factsOf(({ recipients }) => recipients === 'registrant');

/** Facts of which many people are notified. */
export const BROADCAST_FACTS = factsOf(({ recipients }) => recipients !== 'registrant' && recipients !== 'organizer');

/** The trigger of a fact, or null if it notifies no one: the message of the lead occurrence names the other dates of its series. */
export function triggerOf(fact: NewFact): Trigger | null {
  if ('announced_with' in fact.data) return null;
  const isCause = ({ fact: type, applies }: TriggerRule) => type === fact.type && (!applies || applies(fact.data));
  return ALL_TRIGGERS.find((trigger) => isCause(ruleOf(trigger))) ?? null;
}

/** Facts whose messages go ahead of all bulk. */
export const URGENT_FACTS = factsOf(({ urgent }) => urgent);

export const isUrgentFact = (type: FactType): boolean => URGENT_FACTS.includes(type);

/** Whether people whose announcement is no longer true get the message, too. A revision concerns only those with a place. */
export const isCorrection = (trigger: Trigger): boolean =>
  ruleOf(trigger).recipients === 'registered' && trigger !== 'event.unpublished';

/** Whether the event was published before. */
export const isPublishedAgain = (fact: Fact): fact is Fact<'event.published'> =>
  fact.type === 'event.published' && fact.data.sequence > 1;

/** Whether registered people were notified of a postponement or a revision before this publication. */
export const isAfterPause = ({ data }: Fact): boolean => 'after_postponement' in data || 'after_unpublishing' in data;

/** Whether calendars may answer announcements of an event: a yes registers, and is about one date. */
export const canInvite = (event: SchoolEvent): boolean => event.recurrence_id === null && isAnsweredByYes(event);

/** Whether an announcement asks calendars for an answer. One after a pause does not: people have answered the first. */
export function isInvitation(fact: Fact, event: SchoolEvent): boolean {
  if (fact.type !== 'event.published' || !canInvite(event)) return false;
  return !isAfterPause(fact) && !isAfterDeadline(event, fact.occurred_at);
}

/** Triggers whose channels a school may choose; reminders and staff messages name their own. */
export const CHOOSABLE = ALL_TRIGGERS.filter((trigger) => ruleOf(trigger).channels.length > 0);

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
  const own = chosen[trigger];
  const { channels, mandatory, maySwitchOff } = ruleOf(trigger);
  if (!own) return channels;
  if (own.length === 0 && maySwitchOff) return [];
  return CHANNELS.filter((channel) => own.includes(channel) || mandatory.includes(channel));
}

type Message = { fact: Fact; trigger: Trigger; school: Pick<School, 'channels'> };

/** The channels of one fact: the type of a reminder, the choice of staff for a message, else those of the trigger. */
export function channelsOf({ fact, trigger, school }: Message): readonly Channel[] {
  if ('channels' in fact.data) return fact.data.channels as Channel[];
  if (fact.type === 'reminder.due') return [fact.data.type as Channel];
  return chosenChannels(trigger, school.channels);
}

/** Why a person has no choice, with the text they read. */
export const NO_CHOICE = {
  mandatory: 'too important to turn off',
  not_sent: 'the school does not use this channel for these messages',
  channel_off: 'the school has not set up this channel',
} as const;
export type NoChoice = keyof typeof NO_CHOICE;

type Choice = { channel: Channel; choice: 'free' | 'always' | 'never'; reason: NoChoice | null };

/** The choices of a person for every trigger and channel, with the reason where there is none. */
export function choicesOf(
  open: ReadonlySet<Channel>,
  chosen: School['channels'] = {},
): { trigger: Trigger; channels: Choice[] }[] {
  return ALL_TRIGGERS.map((trigger) => {
    // Each reminder and each message of staff names its own channels.
    const used = CHOOSABLE.includes(trigger) ? chosenChannels(trigger, chosen) : CHANNELS;
    const choiceOf = (channel: Channel): Choice => {
      if (!open.has(channel)) return { channel, choice: 'never', reason: 'channel_off' };
      if (!used.includes(channel)) return { channel, choice: 'never', reason: 'not_sent' };
      if (ruleOf(trigger).mandatory.includes(channel)) return { channel, choice: 'always', reason: 'mandatory' };
      return { channel, choice: 'free', reason: null };
    };
    return { trigger, channels: CHANNELS.map(choiceOf) };
  });
}
