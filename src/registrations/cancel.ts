import { type ErrorCode, notFound } from '../core/errors.ts';
import { actorOf, type Caller, scopeOf } from '../people/caller.ts';
import { mustBeAllowed } from '../people/permissions.ts';
import { actorOfCanceller, byStaff, type Canceller, endRegistration } from './end-registration.ts';
import type { EventQueues, RecordReply, RegistrationStore, SeatRequest } from './ports.ts';
import { mayActFor, NOT_FOR_OTHERS, type Registered, resultOf } from './register.ts';
import { isActive } from './registration.ts';
import { promote, record } from './seat-book.ts';

export type CancelInput = { event_id: string; id: string; reason?: string | null | undefined };

/**
 * Cancels a registration. If that frees a seat, the first person on the waitlist is promoted in the same transaction (§2.8
 * r.5).
 * @throws Refused `not_found`, `forbidden`, `registration_not_active`, `busy`
 */
export async function cancelRegistration(
  deps: { eventQueues: EventQueues },
  caller: Caller,
  { event_id, id, reason }: CancelInput,
  recordReply?: RecordReply<Registered>,
): Promise<Registered> {
  const request = cancelRequest({ caller }, id, { reason: reason ?? null });
  return deps.eventQueues.submit(scopeOf(caller), event_id, request, recordReply);
}

/**
 * Declines a registration, usually one that waits for approval: cancels it with a reason, and promotes as
 * `cancelRegistration` does.
 * @throws Refused as `cancelRegistration`
 */
export async function declineRegistration(
  deps: { eventQueues: EventQueues },
  caller: Caller,
  { event_id, id, reason }: CancelInput,
  recordReply?: RecordReply<Registered>,
): Promise<Registered> {
  const request = cancelRequest({ caller }, id, { reason: reason ?? null, declined: true });
  return deps.eventQueues.submit(scopeOf(caller), event_id, request, recordReply);
}

/**
 * Cancels a registration by the signed link in a message, without a token. May be repeated.
 * @returns false if the registration was cancelled before
 * @throws Refused `not_found`, `busy`
 */
export async function giveUpPlace(
  deps: { eventQueues: EventQueues; registrations: Pick<RegistrationStore, 'findAnywhere'> },
  id: string,
): Promise<boolean> {
  const registration = await deps.registrations.findAnywhere(id);
  if (!registration) throw notFound();
  if (!isActive(registration.status)) return false;
  const request = cancelRequest({ link: true }, id, { reason: null });
  await deps.eventQueues.submit(scopeOf(registration), registration.event_id, request);
  return true;
}

function cancelRequest(
  canceller: Canceller,
  id: string,
  how: { reason: string | null; declined?: true },
): SeatRequest<Registered> {
  return {
    needs: { ids: [id], promotions: 1 },
    decide(book, now) {
      const registration = book.rows.get(id);
      if (!registration) return { code: 'not_found' };
      if ('caller' in canceller && !mayActFor(canceller.caller, registration.user_id)) return NOT_FOR_OTHERS;
      const actor = actorOfCanceller(canceller, registration);
      const staff = 'caller' in canceller ? byStaff(canceller.caller, registration) : {};
      const ended = endRegistration(book, registration, { ...how, ...staff, actor, now });
      if ('code' in ended) return ended;
      if (ended.freed) promote(book, 1, { by: id, because: 'cancelled', now });
      return { result: () => resultOf(book, id) };
    },
  };
}

export type CancelledMany = { cancelled: number; left_out: { registration_id: string; code: ErrorCode }[] };

/**
 * Cancels up to 500 registrations in one transaction. If one seat becomes free, the first person on the waitlist is
 * promoted in the same transaction; more seats are left to the waitlist worker, which a fact notifies. Registrations that
 * are not active or not of this event are skipped and returned in `left_out`.
 * @throws Refused `not_found`, `forbidden`, `busy`
 */
export async function cancelMany(
  deps: { eventQueues: EventQueues },
  caller: Caller,
  { event_id, ids, reason }: { event_id: string; ids: readonly string[]; reason?: string | null | undefined },
  recordReply?: RecordReply<CancelledMany>,
): Promise<CancelledMany> {
  mustBeAllowed(caller, 'manage_registrations');
  const unique = [...new Set(ids)];
  const actor = actorOf(caller);
  const request: SeatRequest<CancelledMany> = {
    needs: { ids: unique, promotions: 1 },
    decide(book, now) {
      const left_out: CancelledMany['left_out'] = [];
      const freed: string[] = [];
      for (const id of unique) {
        const registration = book.rows.get(id);
        const ended = registration
          ? endRegistration(book, registration, {
              reason: reason ?? null,
              ...byStaff(caller, registration),
              actor,
              now,
            })
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
  return deps.eventQueues.submit(scopeOf(caller), event_id, request, recordReply);
}
