import { notFound } from '../core/errors.ts';
import { type Caller, type Scope, scopeOf } from '../people/caller.ts';
import { actorOfCanceller, type Canceller, endOn } from './end-registration.ts';
import type { EventQueues, Keep, RegistrationStore, SeatRequest } from './ports.ts';
import { NOT_FOR_OTHERS, type Registered, speaksFor, standingOf } from './register.ts';
import { isActive } from './registration.ts';
import { moveUp } from './seat-book.ts';

export type CancelInput = { event_id: string; id: string; reason?: string | null | undefined };

/**
 * Ends a registration. A seat it held is given to the first of the waitlist in the same transaction (§2.8 r.5); a
 * waitlisted person who leaves frees nothing.
 * @throws Refused `not_found`, `forbidden`, `registration_not_active`, `busy`
 */
export async function cancelRegistration(
  deps: { lanes: EventQueues },
  caller: Caller,
  { event_id, id, reason }: CancelInput,
  keep?: Keep<Registered>,
): Promise<Registered> {
  return deps.lanes.ask(scopeOf(caller), event_id, leaving({ caller }, id, { reason: reason ?? null }), keep);
}

/**
 * Says no to somebody, mostly one who waits for approval: cancelled, with a reason. The seat goes the way of every
 * freed one.
 * @throws Refused as `cancelRegistration`
 */
export async function declineRegistration(
  deps: { lanes: EventQueues },
  caller: Caller,
  { event_id, id, reason }: CancelInput,
  keep?: Keep<Registered>,
): Promise<Registered> {
  const request = leaving({ caller }, id, { reason: reason ?? null, declined: true });
  return deps.lanes.ask(scopeOf(caller), event_id, request, keep);
}

/**
 * Gives a place up by the link in a message: what it says is its holder's to decide. Again is fine.
 * @returns false where the place was given up before
 * @throws Refused `not_found`, `busy`
 */
export async function giveUpPlace(
  deps: { lanes: EventQueues; registrations: Pick<RegistrationStore, 'findAnywhere'> },
  id: string,
): Promise<boolean> {
  const registration = await deps.registrations.findAnywhere(id);
  if (!registration) throw notFound();
  if (!isActive(registration.status)) return false;
  const scope: Scope = scopeOf(registration);
  await deps.lanes.ask(scope, registration.event_id, leaving({ link: true }, id, { reason: null }));
  return true;
}

function leaving(
  leaver: Canceller,
  id: string,
  how: { reason: string | null; declined?: true },
): SeatRequest<Registered> {
  return {
    needs: { ids: [id], moves: 1 },
    decide(sheet, now) {
      const registration = sheet.rows.get(id);
      if (!registration) return { code: 'not_found' };
      if ('caller' in leaver && !speaksFor(leaver.caller, registration.user_id)) return NOT_FOR_OTHERS;
      const ended = endOn(sheet, registration, { ...how, actor: actorOfCanceller(leaver, registration), now });
      if ('code' in ended) return ended;
      if (ended.freed) moveUp(sheet, 1, { by: id, because: 'cancelled', now });
      return { tell: () => standingOf(sheet, id) };
    },
  };
}
