import { groupBy } from '../../core/groups.ts';
import { fromKeys } from '../../core/objects.ts';
import { nameFilter } from '../../core/plain-text.ts';
import type { SchoolEvent } from '../../events/event.ts';
import { type Delivery, type DeliveryStatus, isOpen, isSent, type Reason } from '../delivery.ts';
import { reasonOfState, reasonOfUnfit } from '../policy/gate.ts';
import { ALL_TRIGGERS } from '../policy/trigger.ts';
import { ruleOf, type Trigger } from '../policy/trigger-table.ts';

/** The outcome of a message for one person over all channels: `reached` on at least one, `missed` on every one. */
export const PERSON_OUTCOMES = ['reached', 'waiting', 'missed'] as const;
type PersonOutcome = (typeof PERSON_OUTCOMES)[number];

/** A message over all channels, including those on which others at the same address receive it. */
type ReportedMessage = { statuses: DeliveryStatus[]; reasons: Reason[] };

/** The messages of one trigger about one person, such as two changes of an event. */
export type NotifiedPerson = { trigger: Trigger; user_id: string; name: string; messages: ReportedMessage[] };

/** The messages that will not be sent, because their event was cancelled or the message of the school withdrawn. */
export type StoppedMessages = { event_id: string; triggers: readonly Trigger[]; reason: Reason };

export function stoppedMessagesOf(event: SchoolEvent): StoppedMessages | null {
  if (event.status !== 'cancelled') return null;
  const triggers = ALL_TRIGGERS.filter((trigger) => reasonOfState({ trigger }, event));
  return { event_id: event.id, triggers, reason: reasonOfUnfit(event) };
}

/** Why the message will not be sent. One about several dates still names the others. */
export const reasonOfStop = (row: Delivery, stopped: StoppedMessages | null): Reason | null =>
  stopped?.event_id === row.event_id && stopped.triggers.includes(row.trigger) && !row.other_sequences
    ? stopped.reason
    : null;

type PeopleCount = { trigger: Trigger } & Record<PersonOutcome, number>;

/**
 * Someone with `same_address` alone, besides channels that are not set up, shares the address of a message that had begun before
 * it could name them.
 */
function outcomeOfMessage({ statuses, reasons }: ReportedMessage): PersonOutcome {
  if (statuses.some((status) => isSent({ status })) || reasons.includes('told_before')) return 'reached';
  if (statuses.some((status) => isOpen({ status }))) return 'waiting';
  const others = reasons.filter((reason) => reason !== 'channel_off');
  return others.length > 0 && others.every((reason) => reason === 'same_address') ? 'reached' : 'missed';
}

/** Reasons of messages that a later one replaces. */
const REPLACED: readonly Reason[] = ['superseded', 'event_state', 'registration_ended'];

const isReplaced = (message: ReportedMessage): boolean =>
  outcomeOfMessage(message) === 'missed' && message.reasons.some((reason) => REPLACED.includes(reason));

/** Each message tells something new, so one that missed the person counts; of reminders the best counts. */
function outcomeOf({ trigger, messages }: NotifiedPerson): PersonOutcome {
  const current = messages.filter((message) => !isReplaced(message));
  const outcomes = (current.length > 0 ? current : messages).map(outcomeOfMessage);
  const { isTimed, recipients } = ruleOf(trigger);
  const byWeight = isTimed || recipients === 'unacknowledged' ? PERSON_OUTCOMES : PERSON_OUTCOMES.toReversed();
  return byWeight.find((outcome) => outcomes.includes(outcome)) ?? 'missed';
}

/** Messages of a state that may pass before anyone is notified of it. */
const PASSING: readonly Trigger[] = ['event.changed', 'event.postponed', 'event.unpublished'];

/** Someone for whom later changes replaced all such messages, or took them back, has nothing to know of them. */
const isConcerned = ({ trigger, messages }: NotifiedPerson): boolean =>
  !PASSING.includes(trigger) || !messages.every(isReplaced);

/** Counts people by trigger and outcome. */
export function countPeople(people: readonly NotifiedPerson[]): PeopleCount[] {
  return groupBy(people.filter(isConcerned), ({ trigger }) => trigger).map((group) => {
    const outcomes = group.map(outcomeOf);
    const count = (outcome: PersonOutcome) => outcomes.filter((one) => one === outcome).length;
    return { trigger: group[0].trigger, ...fromKeys(PERSON_OUTCOMES, count) };
  });
}

/**
 * People with this outcome whose name contains a word beginning with each word of `name`, in the order of `id`. Someone whom the
 * directory does not know is named by the id.
 */
export function filterPeople(
  people: readonly NotifiedPerson[],
  { outcome, name = '' }: { outcome?: PersonOutcome; name?: string },
) {
  const isNamed = nameFilter(name);
  return people
    .filter(isConcerned)
    .map((person) => {
      const { trigger, user_id, messages } = person;
      const name = person.name || user_id;
      const reasons = [...new Set(messages.flatMap(({ reasons }) => reasons))];
      return { id: `${name} ${user_id} ${trigger}`, trigger, user_id, name, outcome: outcomeOf(person), reasons };
    })
    .filter((person) => outcome === undefined || person.outcome === outcome)
    .filter((person) => isNamed(person.name))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}
