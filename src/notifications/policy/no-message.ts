import type { SchoolEvent } from '../../events/event.ts';
import type { Fact } from '../../outbox/fact.ts';
import { type NotAddressed, reasonNotAddressed } from '../../people/audience.ts';
import type { Contact } from '../../people/contact.ts';
import type { School } from '../../people/school.ts';
import { isActive, type Registration } from '../../registrations/registration.ts';
import type { Delivery } from '../delivery.ts';
import { undoneSince } from './recipients.ts';
import { channelsOf, isCorrection, triggerOf } from './trigger.ts';
import { ruleOf, type Trigger } from './trigger-table.ts';

/** Why a fact has no delivery row for a person; the closed list. */
export type NoMessageReason =
  | 'own_cancellation'
  | 'no_channel'
  | 'messages_deleted'
  | 'other_channel'
  | 'stand_in'
  | 'left_school'
  | 'not_in_directory'
  | NotAddressed
  | 'entered_later'
  | 'never_registered'
  | 'not_announced'
  | 'registered_later'
  | 'past_due'
  | 'left_before'
  | 'not_confirmed'
  | 'other_registrations'
  | 'undone_before'
  | 'confirmed_before'
  | 'unpublished_before'
  | 'not_decided';

export type NoMessageInput = {
  fact: Fact;
  trigger: Trigger;
  event: SchoolEvent;
  school: School;
  contact: Contact | null;
  children: readonly Contact[];
  /** all registrations of this person for the event, including ended ones */
  registrations: readonly Registration[];
  /** messages of this fact to this person on other channels */
  rows: readonly Pick<Delivery, 'registration_ids' | 'channel'>[];
  /** the fact announced the event, which was unpublished before anyone got a message */
  isWithdrawn?: boolean;
  /** the messages of the fact's event were removed after their retention period */
  isRemoved?: boolean;
};

/**
 * Why a fact had no delivery for a person: the first reason that applies. Registrations have times, but directory and event
 * are known only in their current state, so earlier differences give `not_decided`.
 */
export function reasonForNoMessage(input: NoMessageInput): NoMessageReason {
  const { fact, trigger } = input;
  if (isOwnCancellation(fact)) return 'own_cancellation';
  if (channelsOf(input).length === 0) return 'no_channel';
  if (input.isRemoved) return 'messages_deleted';
  if (undoneSince(fact)) return 'undone_before';
  const { recipients } = ruleOf(trigger);
  if (recipients === 'registrant') return 'not_decided';
  if (recipients !== 'audience' && recipients !== 'unacknowledged') return unregistered(input);
  const outside = outsideAudience(input);
  return recipients === 'unacknowledged' && outside === 'not_decided' ? 'confirmed_before' : outside;
}

/** People who cancel their own or their child’s registration know, so no message is sent. */
export const isOwnCancellation = (fact: Fact): boolean =>
  fact.type === 'registration.cancelled' && triggerOf(fact) === null;

function outsideAudience({ fact, event, contact, children, isWithdrawn }: NoMessageInput): NoMessageReason {
  if (!contact) return 'not_in_directory';
  if (contact.left_at) return 'left_school';
  // No one of the audience sees the draft that an unpublished event is.
  const reason = reasonNotAddressed(contact, children, { ...event, status: 'published' });
  if (reason) return reason;
  if (contact.updated_at > fact.occurred_at) return 'entered_later';
  return isWithdrawn ? 'unpublished_before' : 'not_decided';
}

function unregistered({ fact, trigger, event, registrations, rows }: NoMessageInput): NoMessageReason {
  const at = fact.occurred_at;
  if (registrations.length === 0) {
    const isForAll = event.registration_type === 'none' || rows.some((row) => row.registration_ids.length === 0);
    return isForAll && isCorrection(trigger) ? 'not_announced' : 'never_registered';
  }
  if (fact.type === 'reminder.due' && fact.data.missed === 'past_due') return 'past_due';
  const before = registrations.filter((row) => row.created_at <= at);
  if (before.length === 0) return 'registered_later';
  // The fan-out reads registrations some seconds after the fact, and after those in which a change can be undone.
  const active = before.filter((row) => isActive(row.status));
  if (active.length === 0) return 'left_before';
  if (fact.type === 'message.requested') return 'other_registrations';
  const confirmed = active.some((row) => row.confirmed_at !== null && row.confirmed_at <= at);
  return ruleOf(trigger).recipients === 'confirmed' && !confirmed ? 'not_confirmed' : 'not_decided';
}
