import type { SchoolEvent } from '../events/event.ts';
import { type Registration, type RegistrationStatus, takesSeat } from '../registrations/registration.ts';
import type { LeftOut } from './item.ts';

export type Seated = { status: RegistrationStatus; leftOut?: LeftOut['code'] };

/**
 * Decides who has a seat, from the reported registrations and the capacity (§2.8 r.3–5). Pure, so that the order in which
 * reports arrive does not matter: people registered here keep their seats; then come reported registrations in order of
 * creation; when all seats are taken they join the waitlist, or get no seat if there is none. Free seats go to the first on
 * the waitlist.
 */
export function seating(event: SchoolEvent, rows: readonly Registration[], now: Date): Map<string, Seated> {
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
    const wanted = row.origin?.status ?? 'cancelled';
    const seat = placeOf(row, wanted);
    found.set(row.id, seat);
    if (seat.status === 'waitlisted') waiting.push(row);
    if (takesSeat(seat.status)) taken += 1;
  }
  if (event.status === 'published' && now < event.starts_at) {
    for (const row of waiting) {
      if (taken >= capacity) break;
      found.set(row.id, { status: 'confirmed' });
      taken += 1;
    }
  }
  return found;

  function placeOf({ user_id }: Registration, wanted: RegistrationStatus): Seated {
    if (wanted === 'cancelled') return { status: 'cancelled' };
    if (people.has(user_id)) return { status: 'cancelled', leftOut: 'already_registered' };
    if (wanted === 'waitlisted' || taken < capacity) {
      people.add(user_id);
      return { status: wanted };
    }
    if (!event.waitlist_enabled) return { status: 'cancelled', leftOut: 'event_full' };
    people.add(user_id);
    return { status: 'waitlisted', leftOut: 'event_full' };
  }
}

const byAge = (a: Registration, b: Registration): number =>
  a.created_at.getTime() - b.created_at.getTime() || (a.id < b.id ? -1 : 1);

const byNumber = (a: Registration, b: Registration): number => (a.waitlist_number ?? 0) - (b.waitlist_number ?? 0);
