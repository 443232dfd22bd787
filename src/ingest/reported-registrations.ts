import type { SchoolEvent } from '../events/event.ts';
import type { NewFact } from '../outbox/fact.ts';
import { actorOf, type Caller, scopeOf } from '../people/caller.ts';
import {
  contactOf,
  count,
  isActive,
  NEW_REGISTRATION,
  type Registration,
  type RegistrationStatus,
  takesSeat,
} from '../registrations/registration.ts';
import { mayPromote } from '../registrations/seats/admission.ts';
import { type LeftOut, type MarkedItem, registrationIdOf } from './item.ts';

/**
 * Merges the registrations of a report into `rows`, except those with a newer report.
 * @returns their ids, in the order of the report
 */
export function mergeReported(
  rows: Map<string, Registration>,
  event_id: string,
  item: MarkedItem,
  caller: Caller,
): string[] {
  const { mark } = item;
  return (item.registrations ?? []).map((reported) => {
    const id = registrationIdOf(caller, event_id, reported.id);
    const known = rows.get(id);
    const created_at = reported.created_at ?? item.occurred_at;
    if (known?.origin && known.origin.mark >= mark) {
      if (created_at < known.created_at) rows.set(id, { ...known, created_at });
      return id;
    }
    const { user_id, kind, notes = null, contact, cancel_reason = null } = reported;
    const { checked_in_at = known?.checked_in_at ?? null } = reported;
    // `seating` decides the status.
    const made = { ...NEW_REGISTRATION, status: 'cancelled', registered_by: caller.user_id } as const;
    const row = known ?? { ...made, ...scopeOf(caller), id, event_id, user_id, updated_at: item.occurred_at };
    rows.set(id, {
      ...row,
      kind,
      notes,
      contact: contactOf(contact),
      cancel_reason,
      checked_in_at,
      created_at: known && known.created_at < created_at ? known.created_at : created_at,
      origin: { external_id: reported.id, status: reported.status, mark },
    });
    return id;
  });
}

/** Applies the seating: the event with new counters, the changed rows, and the facts. */
export function seatAll(
  event: SchoolEvent,
  before: ReadonlyMap<string, Registration>,
  rows: ReadonlyMap<string, Registration>,
  caller: Caller,
  now: Date,
): { event: SchoolEvent; changed: Registration[]; facts: NewFact[]; seats: Map<string, Seated> } {
  const seats = seating(event, [...rows.values()], now);
  const after: SchoolEvent = { ...event, current_attendees: 0, waitlisted: 0, confirmed: 0, checked_in: 0 };
  const head = { ...scopeOf(caller), event_id: event.id, actor: actorOf(caller), occurred_at: now };
  const facts: NewFact[] = [];
  const changed: Registration[] = [];
  for (const row of [...rows.values()].sort(byAge)) {
    const seat = seats.get(row.id) ?? { status: row.status };
    count(after, { ...row, ...seat });
    if (seat.status !== row.status || !before.has(row.id)) {
      const moved = withSeat(row, seat, after, now);
      changed.push(moved);
      const fact = factOf(row, moved, after.waitlisted);
      if (fact) facts.push({ ...head, ...fact } as NewFact);
    } else if (before.get(row.id) !== row) changed.push(row);
  }
  return { event: after, changed, facts, seats };
}

function withSeat(row: Registration, { status, leftOut }: Seated, event: SchoolEvent, now: Date): Registration {
  const waited = row.status === 'waitlisted' && status === 'confirmed';
  if (status === 'waitlisted' && row.waitlist_number === null) event.last_waitlist_number += 1;
  return {
    ...row,
    status,
    waitlist_number:
      status === 'waitlisted' ? (row.waitlist_number ?? event.last_waitlist_number) : row.waitlist_number,
    confirmation: row.confirmation + (status === 'confirmed' ? 1 : 0),
    promoted_because: waited ? 'found_free' : row.promoted_because,
    cancel_reason: status === 'cancelled' ? (leftOut ?? row.cancel_reason) : null,
    confirmed_at: status === 'confirmed' ? now : row.confirmed_at,
    cancelled_at: status === 'cancelled' ? now : null,
    updated_at: now,
  };
}

/** @param position on the waitlist, if it joins */
function factOf(before: Registration, after: Registration, position: number): Pick<NewFact, 'type' | 'data'> | null {
  const { id, user_id, status, confirmation, waitlist_number, cancel_reason: reason } = after;
  const ref = { registration_id: id, user_id };
  const waited = before.status === 'waitlisted';
  switch (status) {
    case 'confirmed': {
      const data = { ...ref, confirmation, ...(waited ? { promoted_by: 'found_free' } : {}) };
      return { type: 'registration.confirmed', data };
    }
    case 'pending':
      return { type: 'registration.pending', data: ref };
    case 'waitlisted':
      return { type: 'registration.waitlisted', data: { ...ref, waitlist_number: waitlist_number ?? 0, position } };
    case 'cancelled': {
      if (!isActive(before.status)) return null;
      // The other service still has this registration, so the person does not know.
      const why = reason === 'event_full' ? { reason: null, by_staff: true as const } : { reason };
      return { type: 'registration.cancelled', data: { ...ref, ...why, freed_seat: takesSeat(before.status) } };
    }
  }
}

type Seated = { status: RegistrationStatus; leftOut?: LeftOut['code'] };

/**
 * Decides who has a seat, from the reported registrations and the capacity. Pure, so that the order in which
 * reports arrive does not matter: people registered here keep their seats; then come reported registrations in order of
 * creation; when all seats are taken they join the waitlist, or get no seat if there is none. Free seats go to the first on
 * the waitlist.
 */
function seating(event: SchoolEvent, rows: readonly Registration[], now: Date): Map<string, Seated> {
  const capacity = event.max_attendees ?? Number.POSITIVE_INFINITY;
  const found = new Map<string, Seated>();
  const people = new Set<string>();
  let taken = 0;
  const own = rows.filter((row) => !row.origin && row.status !== 'cancelled');
  for (const row of own) {
    found.set(row.id, { status: row.status });
    people.add(row.user_id);
    if (takesSeat(row.status)) taken += 1;
  }
  const waiting = own.filter(({ status }) => status === 'waitlisted').sort(byNumber);
  for (const row of rows.filter(({ origin }) => origin).sort(byAge)) {
    const seat = seatOf(row, row.origin?.status ?? 'cancelled');
    found.set(row.id, seat);
    if (seat.status === 'waitlisted') waiting.push(row);
    if (takesSeat(seat.status)) taken += 1;
  }
  if (mayPromote(event, now)) {
    for (const row of waiting) {
      if (taken >= capacity) break;
      found.set(row.id, { status: 'confirmed' });
      taken += 1;
    }
  }
  return found;

  function seatOf({ user_id }: Registration, wanted: RegistrationStatus): Seated {
    if (wanted === 'cancelled') return { status: 'cancelled' };
    if (people.has(user_id)) return { status: 'cancelled', leftOut: 'already_registered' };
    const isFull = wanted !== 'waitlisted' && taken >= capacity;
    if (isFull && !event.waitlist_enabled) return { status: 'cancelled', leftOut: 'event_full' };
    people.add(user_id);
    return isFull ? { status: 'waitlisted', leftOut: 'event_full' } : { status: wanted };
  }
}

/** Of the same age: by their ids in the other service, which often count upwards. */
const byAge = (a: Registration, b: Registration): number =>
  a.created_at.getTime() - b.created_at.getTime() ||
  ids.compare(externalId(a), externalId(b)) ||
  (a.id < b.id ? -1 : 1);

const ids = new Intl.Collator('en', { numeric: true });
const externalId = ({ id, origin }: Registration): string => origin?.external_id ?? id;

const byNumber = (a: Registration, b: Registration): number => (a.waitlist_number ?? 0) - (b.waitlist_number ?? 0);
