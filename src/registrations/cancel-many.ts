import type { ErrorCode } from '../core/errors.ts';
import { actorOf, type Caller, scopeOf } from '../people/caller.ts';
import { mustBeAllowed } from '../people/permissions.ts';
import { endOn } from './end-registration.ts';
import type { EventQueues, Keep } from './ports.ts';
import { moveUp, say } from './seat-book.ts';

export type CancelledMany = { cancelled: number; left_out: { registration_id: string; code: ErrorCode }[] };

/**
 * Ends up to 500 registrations in one transaction. A single freed seat is given on at once; many are left to the
 * waitlist worker, which is told by a fact of the same transaction. Those that are not active or not of this event are
 * left out and named.
 * @throws Refused `not_found`, `forbidden`, `busy`
 */
export async function cancelMany(
  deps: { lanes: EventQueues },
  caller: Caller,
  { event_id, ids, reason }: { event_id: string; ids: readonly string[]; reason?: string | null | undefined },
  keep?: Keep<CancelledMany>,
): Promise<CancelledMany> {
  mustBeAllowed(caller, 'manage_registrations');
  const unique = [...new Set(ids)];
  const request = {
    needs: { ids: unique, moves: 1 },
    decide: (sheet: Parameters<typeof endOn>[0], now: Date) => {
      const left_out: CancelledMany['left_out'] = [];
      const freed: string[] = [];
      let cancelled = 0;
      for (const id of unique) {
        const registration = sheet.rows.get(id);
        const ended = registration
          ? endOn(sheet, registration, { reason: reason ?? null, actor: actorOf(caller), now })
          : { code: 'not_found' as const };
        if ('code' in ended) left_out.push({ registration_id: id, code: ended.code });
        else cancelled += 1;
        if ('freed' in ended && ended.freed) freed.push(id);
      }
      const [only = null] = freed;
      if (freed.length === 1) moveUp(sheet, 1, { by: only, because: 'cancelled', now });
      else if (freed.length > 0 && sheet.event.waitlisted > 0)
        say(sheet, actorOf(caller), now, { type: 'seats.freed', data: { seats: freed.length } });
      return { tell: () => ({ cancelled, left_out }) };
    },
  };
  return deps.lanes.ask(scopeOf(caller), event_id, request, keep);
}
