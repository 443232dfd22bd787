import type { ErrorCode } from '../core/errors.ts';
import { actorOf, type Caller, scopeOf } from '../people/caller.ts';
import { mustBeAllowed } from '../people/permissions.ts';
import { endRegistration } from './end-registration.ts';
import type { EventQueues, RecordReply, SeatRequest } from './ports.ts';
import { promote, record } from './seat-book.ts';

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
          ? endRegistration(book, registration, { reason: reason ?? null, actor, now })
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
