import { type ErrorCode, type Refusal, Refused } from '../core/errors.ts';
import { actorOf, type Caller, may, scopeOf } from '../people/caller.ts';
import { isOver, mayActFor, NOT_FOR_OTHERS } from './allowed.ts';
import type { EventQueues, RegistrationStore, SeatRequest } from './ports.ts';
import { type Ids, isActive, isOwn, type Registered, type Registration } from './registration.ts';
import { type Ending, end, promote, record, resultOf, type SeatBook } from './seats/seat-book.ts';
import { seatOperation } from './seats/store-seat-book.ts';

type CancelInput = Ids & { reason?: string | null; via?: 'calendar' };

/**
 * Cancels a registration. If that frees a seat, the first person on the waitlist is promoted in the same transaction.
 * @throws Refused `not_found`, `forbidden`, `registration_not_active`, `registration_closed` for the owner once the event is
 * over, `busy`
 */
export const cancelRegistration = seatOperation((caller, { id, reason = null, via }: CancelInput) =>
  cancelRequest(caller, id, { reason, via }),
);

/**
 * Declines a registration, usually one that waits for approval: cancels it with a reason, and promotes as
 * `cancelRegistration` does.
 * @throws Refused as `cancelRegistration`
 */
export const declineRegistration = seatOperation((caller, { id, reason = null }: CancelInput) =>
  cancelRequest(caller, id, { reason, declined: true }),
);

/**
 * Cancels a registration by the signed link in a message, without a token. May be repeated.
 * @returns false if the registration or its event no longer exists, or the event is over
 * @throws Refused `busy`
 */
export async function giveUpPlace(
  deps: { eventQueues: EventQueues; registrations: Pick<RegistrationStore, 'findAnywhere'> },
  id: string,
): Promise<boolean> {
  const registration = await deps.registrations.findAnywhere(id);
  if (!registration) return false;
  const request = cancelRequest(null, id, { reason: null });
  try {
    await deps.eventQueues.submit(scopeOf(registration), registration.event_id, request);
    return true;
  } catch (error) {
    if (error instanceof Refused && NOTHING_TO_GIVE.includes(error.refusal.code)) return false;
    throw error;
  }
}

const NOTHING_TO_GIVE: readonly ErrorCode[] = ['not_found', 'registration_closed'];

/** @param caller null: the holder of the link that was sent to the owner, who may repeat it */
function cancelRequest(caller: Caller | null, id: string, how: Ending): SeatRequest<Registered> {
  return {
    needs: { ids: [id], promotions: 1 },
    decide(book, now) {
      const registration = book.rows.get(id);
      if (!registration) return { code: 'not_found' };
      if (!caller && !isActive(registration.status)) return { result: () => resultOf(book, id) };
      if (caller && !mayActFor(caller, registration.user_id)) return NOT_FOR_OTHERS;
      if (isOver(book.event.status) && !(caller && may(caller, 'manage_registrations')))
        return { code: 'registration_closed', detail: 'The event is over.' };
      const actor = caller ? actorOf(caller) : { user_id: registration.user_id };
      const ended = endActive(book, registration, { ...how, ...byStaff(caller, registration), actor, now });
      if ('code' in ended) return ended;
      if (ended.freed) promote(book, 1, { by: id, because: 'cancelled', now });
      return { result: () => resultOf(book, id) };
    },
  };
}

/** @returns whether a seat became free */
function endActive(
  book: SeatBook,
  registration: Registration,
  how: Parameters<typeof end>[2],
): { freed: boolean } | Refusal {
  if (!isActive(registration.status)) {
    return { code: 'registration_not_active', detail: 'The registration was cancelled before.' };
  }
  return { freed: end(book, registration, how) };
}

/** Whether a caller cancels the registration of a person for whom they act only as staff. */
const byStaff = (caller: Caller | null, registration: Registration): Pick<Ending, 'by_staff'> =>
  caller === null || isOwn(caller, registration) ? {} : { by_staff: true };

type CancelledMany = { cancelled: number; left_out: { registration_id: string; code: ErrorCode }[] };

/**
 * Cancels up to 500 registrations in one transaction. If one seat becomes free, the first person on the waitlist is
 * promoted in the same transaction; more seats are left to the waitlist worker, which a fact notifies. Registrations that
 * are not active or not of this event are skipped and returned in `left_out`.
 * @throws Refused `not_found`, `busy`
 */
export const cancelMany = seatOperation(
  (
    caller,
    { ids, reason = null }: { event_id: string; ids: readonly string[]; reason?: string | null },
  ): SeatRequest<CancelledMany> => {
    const unique = [...new Set(ids)];
    const actor = actorOf(caller);
    return {
      // Only one is promoted, but all people before that one may be cancelled too.
      needs: { ids: unique, promotions: unique.length },
      decide(book, now) {
        const left_out: CancelledMany['left_out'] = [];
        const freed: string[] = [];
        for (const id of unique) {
          const registration = book.rows.get(id);
          const ended = registration
            ? endActive(book, registration, { reason, ...byStaff(caller, registration), actor, now })
            : { code: 'not_found' as const };
          if ('code' in ended) left_out.push({ registration_id: id, code: ended.code });
          else if (ended.freed) freed.push(id);
        }
        const [only = null] = freed;
        if (freed.length === 1) promote(book, 1, { by: only, because: 'cancelled', now });
        else if (freed.length > 0 && book.event.waitlisted > 0)
          record(book, actor, now, { type: 'seats.freed', data: { seats: freed.length } });
        return { result: () => ({ cancelled: unique.length - left_out.length, left_out }) };
      },
    };
  },
);
