import type { SchoolEvent } from '../events/event.ts';
import type { NewFact } from '../facts/fact.ts';
import { notFound, Refused } from '../kernel/errors.ts';
import { actorOf, type Caller, scopeOf } from '../people/caller.ts';
import { may } from '../people/permissions.ts';
import { maySee } from '../people/visibility.ts';
import type { RegistrationDeps } from './ports.ts';
import { mustSpeakFor } from './register.ts';
import { isActive, type Registration, takesSeat } from './registration.ts';
import { promoted, seatsToGive } from './waitlist.ts';

/**
 * Ends a registration. A seat it held is given to the first of the waitlist in the same transaction (§2.8 r.5); a
 * waitlisted person who leaves frees nothing.
 * @throws Refused `not_found`, `forbidden`, `registration_not_active`
 */
export async function cancelRegistration(
  deps: RegistrationDeps,
  caller: Caller,
  { event_id, id, reason }: { event_id: string; id: string; reason?: string | null | undefined },
): Promise<Registration> {
  return deps.transact(async (tx) => {
    // One after the other: a transaction takes no two commands at once.
    const event = await deps.events.find(caller, event_id, tx);
    const registration = await deps.registrations.find(caller, event_id, id, tx);
    if (!event || !registration || !mayKnow(caller, event, registration)) throw notFound();
    mustSpeakFor(caller, registration.user_id);
    if (!isActive(registration.status)) {
      throw new Refused({ code: 'registration_not_active', detail: 'it was cancelled before' });
    }
    const now = deps.clock.now();
    const actor = actorOf(caller);
    const freed = takesSeat(registration.status);
    const ended: Registration = {
      ...registration,
      status: 'cancelled',
      cancel_reason: reason ?? null,
      cancelled_at: now,
      updated_at: now,
    };
    const left: SchoolEvent = {
      ...event,
      version: event.version + 1,
      current_attendees: event.current_attendees - (freed ? 1 : 0),
      waitlisted: event.waitlisted - (freed ? 0 : 1),
    };
    const facts: NewFact[] = [
      {
        ...scopeOf(event),
        event_id,
        occurred_at: now,
        actor,
        type: 'registration.cancelled',
        data: { registration_id: id, user_id: registration.user_id, reason: reason ?? null, freed_seat: freed },
      },
    ];
    await deps.registrations.replace(ended, tx);
    const seats = freed ? Math.min(1, seatsToGive(left, now)) : 0;
    const first = seats > 0 ? await deps.registrations.firstWaiting(caller, event_id, seats, tx) : [];
    const after = promoted(left, first, { by: id, actor: 'system', now });
    for (const next of after.registrations) await deps.registrations.replace(next, tx);
    await deps.events.replace(after.event, event.version, tx);
    await deps.facts.record([...facts, ...after.facts], tx);
    return ended;
  });
}

/** One's own registration shows even where the event no longer does. */
const mayKnow = (caller: Caller, event: SchoolEvent, registration: Registration): boolean =>
  maySee(caller, event) || registration.user_id === caller.user_id || caller.children.includes(registration.user_id);

/** A registration as its owner, a parent of its owner, or who manages registrations may see it. */
export async function findRegistration(
  deps: RegistrationDeps,
  caller: Caller,
  { event_id, id }: { event_id: string; id: string },
): Promise<{ registration: Registration; waitlist_position: number | null }> {
  const registration = await deps.registrations.find(caller, event_id, id);
  const own =
    registration && (registration.user_id === caller.user_id || caller.children.includes(registration.user_id));
  if (!registration || !(own || may(caller, 'manage_registrations'))) throw notFound();
  const position =
    registration.status === 'waitlisted' && registration.waitlist_number !== null
      ? (await deps.registrations.countAhead(caller, event_id, registration.waitlist_number)) + 1
      : null;
  return { registration, waitlist_position: position };
}
