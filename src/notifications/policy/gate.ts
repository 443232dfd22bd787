import { hasStarted, type SchoolEvent } from '../../events/event.ts';
import { firstStart } from '../../events/rules/slots.ts';
import { announcedState } from '../../events/rules/unannounced-changes.ts';
import { type Fact, type FactType, factsOfDates } from '../../outbox/fact.ts';
import { isSameSchool } from '../../people/caller.ts';
import { sameAddressForm } from '../../people/contact.ts';
import { hasOptedOut, type PreferencesByPerson } from '../../people/preferences.ts';
import { isActive, type RegistrationState } from '../../registrations/registration.ts';
import { type Delivery, type Reader, type Reason, sequenceIn } from '../delivery.ts';
import { entitledReaders, presentReaders, remainingReaders, subjectsOf, type Ties } from './recipients.ts';
import { ruleOf } from './trigger-table.ts';

/** The current state, read after the row was leased. */
export type Now = Ties & {
  event: SchoolEvent | null;
  fact: Fact | null;
  /** the registrations of the delivery that still exist */
  registrations: readonly RegistrationState[];
  /** of readers and owners of the address */
  preferences: PreferencesByPerson;
  suppressed: ReadonlySet<string>;
  /** addresses that sent STOP to the senders of such messages */
  stopped?: ReadonlySet<string>;
  /** people of the audience who may no longer see the event */
  lostVisibility?: ReadonlySet<string>;
  /** people whom an earlier announcement notified of the same date and place */
  notified?: ReadonlySet<string>;
  /** recipients of a correction whom no announcement reached */
  neverNotified?: ReadonlySet<string>;
  /** people who have confirmed having read it */
  acknowledged?: ReadonlySet<string>;
  at: Date;
};

/** A date that a message names: the event, and its fact as if it had been changed alone. */
export type NamedDate = { event: SchoolEvent; fact: Fact };

/** The same date, whose event may have been deleted since. */
export type MaybeDate = { event: SchoolEvent | null; fact: Fact };

/** The dates that the message of a fact names, its own first. */
export const datesOf = (fact: Fact, events: ReadonlyMap<string, SchoolEvent>): MaybeDate[] =>
  factsOfDates(fact).map((own) => ({ event: events.get(own.event_id) ?? null, fact: own }));

export const existingDates = (dates: readonly { event: SchoolEvent | null; fact: Fact | null }[]): NamedDate[] =>
  dates.flatMap(({ event, fact }) => (event && fact ? [{ event, fact }] : []));

/**
 * The gate: checks right before sending that a message is still true (docs/delivery.md, promise 3). The first failing rule is
 * the reason on the row, so the rules are in the order in which a person would name them.
 * @returns null if the message may be sent
 */
export function reasonToStop(delivery: Delivery, now: Now): Reason | null {
  const { event, fact } = now;
  if (!event || !fact || !isSameSchool(event, delivery)) return 'event_gone';
  const date = { event, fact };
  return (
    reasonOfEvent(delivery, date, now) ?? reasonOfReaders(delivery, date, now) ?? reasonOfConsent(delivery, date, now)
  );
}

/** Whether the event is still as the message says. */
function reasonOfEvent(delivery: Delivery, { event, fact }: NamedDate, { at, registrations }: Now): Reason | null {
  const rule = ruleOf(delivery.trigger);
  if (delivery.expires_at !== null && at >= delivery.expires_at) return 'expired';
  // Staff may remind people to confirm also later.
  if (fact.type === 'acknowledgement.reminded' && fact.actor === 'system') {
    if (event.status === 'in_progress' || at >= event.starts_at) return 'expired';
    if (!event.acknowledgement_reminder) return 'reminder_removed';
  }
  const ofState = reasonOfState(delivery, event);
  if (ofState) return ofState;
  if (rule.isSuperseded?.(fact, event, registrations)) return 'superseded';
  if (rule.isTimed && delivery.schedule_version !== event.schedule_version) return 'schedule_changed';
  if (fact.type === 'reminder.due' && !isStillPlanned(event, fact)) return 'reminder_removed';
  return null;
}

/** Why the state of the event stops the message; null if it fits. */
export function reasonOfState(delivery: Pick<Delivery, 'trigger'>, event: SchoolEvent): Reason | null {
  if (ruleOf(delivery.trigger).fits.includes(event.status) || isBetweenMeetings(delivery, event)) return null;
  return reasonOfUnfit(event);
}

/** Why a message is not sent that no longer fits the state of its event. */
export const reasonOfUnfit = ({ is_message }: Pick<SchoolEvent, 'is_message'>): Reason =>
  is_message ? 'withdrawn' : 'event_state';

/** Whether it still concerns the people it was drafted for, and is news to them. */
function reasonOfReaders(delivery: Delivery, { event }: NamedDate, now: Now): Reason | null {
  const readers = remainingReaders(delivery, now.registrations);
  if (readers.length === 0) return isNewsReplaced(delivery, now) ? 'superseded' : 'registration_ended';
  if (haveMet(delivery, now, event)) return 'expired';
  if (presentReaders(readers, now).length === 0) return 'left_school';
  const present = entitledReaders(readers, now);
  if (present.length === 0) return 'not_guardian';
  if (present.every((reader) => isHidden(reader, now))) return 'not_visible';
  const { recipients } = ruleOf(delivery.trigger);
  if (recipients === 'unacknowledged' && present.every((reader) => hasAcknowledged(reader, now))) return 'acknowledged';
  if (now.notified?.has(delivery.user_id)) return 'told_before';
  // Registered people get corrections in any case.
  if (delivery.registration_ids.length === 0 && now.neverNotified?.has(delivery.user_id)) return 'never_told';
  return null;
}

/** Whether the school, its readers and the owners of its address want it. */
function reasonOfConsent(delivery: Delivery, { event, fact }: NamedDate, now: Now): Reason | null {
  if (isSilenced(event, fact)) return 'notifications_off';
  if (addressees(delivery, now).length === 0) return 'opted_out';
  if (delivery.address_owners.some((user_id) => isOptedOut({ user_id }, delivery, now))) return 'opted_out';
  if (delivery.address === null) return null;
  const address = sameAddressForm(delivery.address);
  if (now.stopped?.has(address)) return 'opted_out';
  if (now.suppressed.has(address)) return 'suppressed';
  return null;
}

/**
 * Applies the gate to each date that a message is about. It stops only if no date is left, for the reason of the first.
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
  const checked = statesOfDates(delivery, dates).map((state) => {
    const expires_at = state.event && ruleOf(delivery.trigger).expiresAt(state.event);
    return { state, reason: reasonToStop({ ...delivery, expires_at }, state) };
  });
  const open = checked.filter(({ reason }) => reason === null).map(({ state }) => state);
  return { open, reason: open.length > 0 ? null : (checked[0]?.reason ?? 'registration_ended') };
}

/** The dates that a message is about, each with its own registrations: without those for which its readers are not registered. */
export function statesOfDates<State extends Pick<Now, 'event' | 'registrations'>>(
  { registration_ids }: Delivery,
  dates: readonly State[],
): readonly State[] {
  if (registration_ids.length === 0) return dates;
  return dates.flatMap((state) => {
    const registrations = state.registrations.filter(({ event_id }) => event_id === state.event?.id);
    return registrations.length > 0 ? [{ ...state, registrations }] : [];
  });
}

/** Reminders of chosen times are sent until the last meeting begins; each expires with its own. */
const isBetweenMeetings = ({ trigger }: Pick<Delivery, 'trigger'>, { slots, status }: SchoolEvent): boolean =>
  trigger === 'reminder.due' && !!slots && status === 'in_progress';

/** Whether all meetings of a reminder have begun, because another time was chosen since it was drafted. */
const haveMet = ({ trigger }: Delivery, { registrations, at }: Now, event: SchoolEvent): boolean =>
  trigger === 'reminder.due' &&
  !!event.slots &&
  registrations.every(({ status, slots }) => status !== 'confirmed' || at >= firstStart(event, slots));

/** Whether the registration that the message is about is active, but with another status than the message states. */
const isNewsReplaced = ({ trigger }: Delivery, { registrations }: Pick<Now, 'registrations'>): boolean =>
  ruleOf(trigger).recipients === 'registrant' && registrations.some(({ status }) => isActive(status));

/** The remaining readers of a message who are entitled to it, may see the event and have not opted out. */
export const addressees = (
  delivery: Delivery,
  now: Pick<Now, 'registrations' | 'preferences' | 'lostVisibility' | keyof Ties>,
): Reader[] =>
  entitledReaders(remainingReaders(delivery, now.registrations), now).filter(
    (reader) => !isHidden(reader, now) && !isOptedOut(reader, delivery, now),
  );

const isHidden = (reader: Reader, { lostVisibility }: Pick<Now, 'lostVisibility'>): boolean =>
  lostVisibility !== undefined && subjectsOf(reader).every(({ user_id }) => lostVisibility.has(user_id));

/** Nothing is left to confirm if no one asks for it any more. */
const hasAcknowledged = (reader: Reader, { event, acknowledged }: Now): boolean =>
  !event?.asks_acknowledgement || subjectsOf(reader).every(({ user_id }) => acknowledged?.has(user_id));

function isOptedOut(
  { user_id }: { user_id: string },
  { trigger, channel }: Delivery,
  { preferences }: Pick<Now, 'preferences'>,
): boolean {
  if (ruleOf(trigger).mandatory.includes(channel)) return false;
  return hasOptedOut(preferences.get(user_id)?.opted_out ?? [], trigger, channel);
}

/**
 * Whether the event's `send_notifications` switch suppresses this fact (docs/decisions.md). `notify` of cancel, postpone and
 * edit overrides the switch for one notice; messages that people write ignore it. An inactive event sends nothing.
 */
export function isSilenced(event: SchoolEvent, fact: Fact): boolean {
  if (!event.is_active) return true;
  if (WRITTEN_BY_PEOPLE.includes(fact.type) && fact.actor !== 'system') return false;
  const override = overrideOf(fact);
  return override === null ? !event.send_notifications : !override;
}

/** Whether the switches of all dates suppress the message. */
export const isSilencedOn = ({ dates }: { dates: readonly NamedDate[] }): boolean =>
  dates.every(({ event, fact }) => isSilenced(event, fact));

/** Facts of messages that a person sends. A reminder to confirm may also come from the clock. */
const WRITTEN_BY_PEOPLE: readonly FactType[] = ['message.requested', 'message.answered', 'acknowledgement.reminded'];

const overrideOf = ({ data }: Fact): boolean | null => ('notify' in data ? (data.notify ?? null) : null);

/**
 * Whether a sent in-app message no longer holds when it is read: its event was cancelled, unpublished or moved since, a later
 * notice replaces it, or its registration ended. An event that has begun or ended as announced, and missing facts don't count.
 */
export function isOutdated(
  delivery: Delivery,
  { event, fact, registrations }: { event: SchoolEvent; fact: Fact | null } & Pick<Now, 'registrations'>,
): boolean {
  const rule = ruleOf(delivery.trigger);
  if (!hasStarted(event) && !rule.fits.includes(event.status)) return true;
  // The delivery has the version of the lead occurrence.
  const stated = fact && 'schedule_version' in fact.data ? fact.data.schedule_version : delivery.schedule_version;
  const isMoved = stated !== event.schedule_version;
  const isReplaced = fact !== null && rule.isSuperseded?.(fact, event, registrations) === true;
  switch (delivery.trigger) {
    case 'event.published': {
      // An announcement that was written after an edit states a later sequence than its fact.
      const sequence = sequenceIn(delivery, event);
      if (fact?.type !== 'event.published' || !fact.data.says || sequence === event.sequence) return false;
      return sequence !== fact.data.sequence || fact.data.says !== announcedState(event);
    }
    case 'registration.pending':
    case 'registration.waitlisted':
    case 'registration.confirmed':
    case 'reminder.due':
    case 'event.starting':
      return isMoved || isReplaced || remainingReaders(delivery, registrations).length === 0;
    case 'event.changed':
    case 'event.postponed':
      return isMoved || isReplaced;
    default:
      return isReplaced;
  }
}

const isStillPlanned = ({ reminders }: SchoolEvent, { data }: Fact<'reminder.due'>): boolean =>
  reminders.some(({ type, offset }) => type === data.type && offset === data.offset);
