import { byId, mapBy } from '../../core/groups.ts';
import type { SchoolEvent } from '../../events/event.ts';
import { isHeld } from '../../events/held-change.ts';
import type { NewFact } from '../../outbox/fact.ts';
import { type Actor, scopeOf } from '../../people/caller.ts';
import {
  count,
  isActive,
  type PromotionCause,
  type Registered,
  type Registration,
  takesSeat,
} from '../registration.ts';
import { seatsToGive } from './admission.ts';

/**
 * The unit of work for the seats of one event. Requests of a group are decided on it one after the other, each seeing the
 * changes of the ones before; then all changes are stored in one transaction. Does no I/O.
 */
export type SeatBook = {
  /** the event as it is stored; its version is one higher if its row was locked first */
  readonly stored: SchoolEvent;
  /** as it was read, with counters that follow every change */
  event: SchoolEvent;
  /** loaded and added registrations, as they are now */
  readonly rows: Map<string, Registration>;
  /** registrations as they were loaded; new ones are missing */
  readonly before: Map<string, Registration>;
  /** id of the active registration of each person */
  readonly active: Map<string, string>;
  /** when each person registered recently, including ended registrations */
  readonly registeredAt: Map<string, Date[]>;
  /** ids on the waitlist from the first, in order: at least as many as this group can promote */
  readonly waiting: string[];
  /** the people on the waitlist who have left the school */
  readonly leavers: ReadonlySet<string>;
  /** ids that this group has added to the waitlist, in order */
  readonly joined: string[];
  /** ids of changed registrations */
  readonly dirty: Set<string>;
  readonly facts: NewFact[];
};

export function seatBookOf(
  event: SchoolEvent,
  known: readonly Registration[],
  waiting: readonly Registration[],
  { leavers = new Set(), locked = false }: { leavers?: ReadonlySet<string>; locked?: boolean } = {},
): SeatBook {
  const rows = byId([...known, ...waiting]);
  const byPerson = mapBy(known, ({ user_id }) => [user_id]);
  return {
    stored: locked ? { ...event, version: event.version + 1 } : event,
    event: { ...event },
    rows,
    before: new Map(rows),
    active: new Map([...rows.values()].filter(({ status }) => isActive(status)).map((row) => [row.user_id, row.id])),
    registeredAt: new Map([...byPerson].map(([id, all]) => [id, all.map(({ created_at }) => created_at)])),
    waiting: waiting.map((row) => row.id),
    leavers,
    joined: [],
    dirty: new Set(),
    facts: [],
  };
}

/** Adds or replaces a registration and updates the event's counters. */
export function upsert(book: SeatBook, given: Registration): void {
  const { id, user_id, status, created_at, waitlist_number, origin } = given;
  // A later report that does not name the registration must leave it as it is now.
  const registration = origin ? { ...given, origin: { ...origin, status } } : given;
  const old = book.rows.get(id);
  if (old) count(book.event, old, -1);
  count(book.event, registration);
  book.rows.set(id, registration);
  book.dirty.add(id);
  if (isActive(status)) book.active.set(user_id, id);
  else book.active.delete(user_id);
  if (!old) book.registeredAt.set(user_id, [...(book.registeredAt.get(user_id) ?? []), created_at]);
  if (!old && status === 'waitlisted') {
    book.event.last_waitlist_number = waitlist_number ?? book.event.last_waitlist_number;
    book.waiting.push(id);
    book.joined.push(id);
  }
}

/** Adds a fact about the event, to be stored with the changes. */
export function record(book: SeatBook, actor: Actor, now: Date, fact: Pick<NewFact, 'type' | 'data'>): void {
  const { event } = book;
  book.facts.push({ ...scopeOf(event), event_id: event.id, occurred_at: now, actor, ...fact } as NewFact);
}

/** `by_staff`: neither the person nor a guardian cancels it, so they are notified. */
export type Ending = { reason: string | null; declined?: true; by_staff?: true; via?: 'calendar' };

/**
 * Cancels an active registration; promoting the next person is up to the caller of this function.
 * @returns whether a seat became free
 */
export function end(
  book: SeatBook,
  registration: Registration,
  { actor, now, ...how }: Ending & { actor: Actor; now: Date },
): boolean {
  const { id, user_id } = registration;
  const freed_seat = takesSeat(registration.status);
  upsert(book, { ...registration, status: 'cancelled', cancel_reason: how.reason, cancelled_at: now, updated_at: now });
  record(book, actor, now, {
    type: 'registration.cancelled',
    data: { registration_id: id, user_id, freed_seat, ...how },
  });
  return freed_seat;
}

/**
 * Promotes the first people on the waitlist into free seats, in order of joining; promoted means confirmed (decisions.md,
 * "promotion"). Ends the registrations of leavers before them: no one would learn of their places.
 * @returns how many, at most `limit`
 */
export function promote(
  book: SeatBook,
  limit: number,
  { by, because, now }: { by: string | null; because: PromotionCause; now: Date },
): number {
  // Promoted people would learn of a publication that may still be undone.
  let left = isHeld(book.event, now) ? 0 : Math.min(limit, seatsToGive(book.event, now));
  let promoted = 0;
  while (left > 0 && book.waiting.length > 0) {
    const next = book.rows.get(book.waiting.shift() ?? '');
    if (next?.status !== 'waitlisted') continue; // cancelled by a request of this group
    if (book.leavers.has(next.user_id)) {
      end(book, next, { reason: null, by_staff: true, actor: 'system', now });
      continue;
    }
    const confirmation = next.confirmation + 1;
    upsert(book, {
      ...next,
      status: 'confirmed',
      confirmation,
      promoted_by: by,
      promoted_because: because,
      confirmed_at: now,
      updated_at: now,
    });
    const { id: registration_id, user_id } = next;
    const data = { registration_id, user_id, confirmation, promoted_by: by ?? because };
    record(book, 'system', now, { type: 'registration.confirmed', data });
    left -= 1;
    promoted += 1;
  }
  return promoted;
}

/** A registration with its waitlist position, once the whole group is decided. */
export function resultOf(book: SeatBook, id: string): Registered {
  const registration = book.rows.get(id) as Registration;
  // The people who joined in this group are the last of the waitlist.
  const joined = book.joined.filter((one) => book.rows.get(one)?.status === 'waitlisted');
  const at = joined.indexOf(id);
  return { ...registration, waitlist_position: at < 0 ? null : book.event.waitlisted - joined.length + at + 1 };
}
