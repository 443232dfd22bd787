import type { SchoolEvent } from '../../events/event.ts';
import { type Fact, factsOfDates } from '../../outbox/fact.ts';
import type { Delivery, Reason } from '../delivery.ts';
import { isSilenced, type Now, reasonToStop } from './gate.ts';
import { ruleOf, type Trigger } from './trigger.ts';

/** A date that a message names: the event, and its fact as if it had been changed alone. */
export type NamedDate = { event: SchoolEvent; fact: Fact };

/** The dates that the message of a fact names, its own first; without deleted ones. */
export const namedDates = (fact: Fact, events: ReadonlyMap<string, SchoolEvent>): NamedDate[] =>
  factsOfDates(fact).flatMap((own) => {
    const event = events.get(own.event_id);
    return event ? { event, fact: own } : [];
  });

/** Whether the switches of all dates suppress the message. */
export const isSilencedOn = ({ dates }: { dates: readonly NamedDate[] }): boolean =>
  dates.every(({ event, fact }) => isSilenced(event, fact));

/** When the message has become useless for all its dates; null: never. */
export function expiryOf({ dates, trigger }: { dates: readonly NamedDate[]; trigger: Trigger }): Date | null {
  const ends = dates.map(({ event }) => ruleOf(trigger).expiresAt(event));
  return ends.some((end) => end === null) ? null : new Date(Math.max(...ends.map(Number)));
}

/**
 * Applies the gate to each date that a message names. A message about registrations concerns only their dates. It stops
 * only if no date is left, for the reason of the first.
 * @param dates the state of each date, with all registrations of the message; at least one
 */
export function gateOfDates<State extends Now>(
  delivery: Delivery,
  dates: readonly State[],
): { open: State[]; reason: Reason | null } {
  const [only] = dates;
  if (only && dates.length === 1) {
    const reason = reasonToStop(delivery, only);
    return { open: reason ? [] : [only], reason };
  }
  const concerned = dates.flatMap((state) => stateOfDate(delivery, state));
  const checked = concerned.map((state) => {
    const expires_at = state.event && ruleOf(delivery.trigger).expiresAt(state.event);
    return { state, reason: reasonToStop({ ...delivery, expires_at }, state) };
  });
  const open = checked.filter(({ reason }) => reason === null).map(({ state }) => state);
  return { open, reason: open.length > 0 ? null : (checked[0]?.reason ?? 'registration_ended') };
}

/** The state with the registrations for its own date; none if the message concerns other registrations only. */
function stateOfDate<State extends Now>({ registration_ids }: Delivery, state: State): State[] {
  if (registration_ids.length === 0) return [state];
  const registrations = state.registrations.filter(({ event_id }) => event_id === state.event?.id);
  return registrations.length > 0 ? [{ ...state, registrations }] : [];
}
