import type { Refusal } from '../core/errors.ts';
import { type Actor, actorOf, type Caller } from '../people/caller.ts';
import { isActive, type Registration, takesSeat } from './registration.ts';
import { put, type Sheet, say } from './seat-book.ts';

/** Who ends a registration: somebody with a token, or the holder of the link that was sent to its owner. */
export type Canceller = { caller: Caller } | { link: true };

/**
 * Ends a registration on the sheet; who gets its seat is not decided here.
 * @returns whether a seat became free
 */
export function endOn(
  sheet: Sheet,
  registration: Registration,
  { reason, declined, actor, now }: { reason: string | null; declined?: true; actor: Actor; now: Date },
): { freed: boolean } | Refusal {
  if (!isActive(registration.status))
    return { code: 'registration_not_active', detail: 'The registration was cancelled before.' };
  const { id, user_id } = registration;
  const freed = takesSeat(registration.status);
  put(sheet, { ...registration, status: 'cancelled', cancel_reason: reason, cancelled_at: now, updated_at: now });
  const data = { registration_id: id, user_id, reason, freed_seat: freed, ...(declined ? { declined } : {}) };
  say(sheet, actor, now, { type: 'registration.cancelled', data });
  return { freed };
}

export const actorOfCanceller = (leaver: Canceller, { user_id }: Registration): Actor =>
  'caller' in leaver ? actorOf(leaver.caller) : { user_id };
