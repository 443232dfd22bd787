import type { Refusal } from '../core/errors.ts';
import { type Actor, actorOf, type Caller } from '../people/caller.ts';
import { isActive, isOwn, type Registration, takesSeat } from './registration.ts';
import { record, type SeatBook, upsert } from './seat-book.ts';

/** `by_staff`: neither the person nor a guardian cancels it, so they are notified. */
export type How = { reason: string | null; declined?: true; by_staff?: true };

/** The person who cancels a registration: a caller with a token, or the holder of the link that was sent to its owner. */
export type Canceller = { caller: Caller } | { link: true };

/**
 * Cancels a registration in the seat book; promoting the next person is up to the caller of this function.
 * @returns whether a seat became free
 */
export function endRegistration(
  book: SeatBook,
  registration: Registration,
  { actor, now, ...how }: How & { actor: Actor; now: Date },
): { freed: boolean } | Refusal {
  if (!isActive(registration.status)) {
    return { code: 'registration_not_active', detail: 'The registration was cancelled before.' };
  }
  const { id, user_id } = registration;
  const freed = takesSeat(registration.status);
  upsert(book, { ...registration, status: 'cancelled', cancel_reason: how.reason, cancelled_at: now, updated_at: now });
  const data = { registration_id: id, user_id, freed_seat: freed, ...how };
  record(book, actor, now, { type: 'registration.cancelled', data });
  return { freed };
}

/** Whether a caller cancels the registration of a person for whom they act only as staff. */
export const byStaff = (caller: Caller, registration: Registration): Pick<How, 'by_staff'> =>
  isOwn(caller, registration) ? {} : { by_staff: true };

export const actorOfCanceller = (canceller: Canceller, { user_id }: Registration): Actor =>
  'caller' in canceller ? actorOf(canceller.caller) : { user_id };
