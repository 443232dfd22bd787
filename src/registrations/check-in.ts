import { notFound, Refused } from '../core/errors.ts';
import { actorOf, type Caller, scopeOf } from '../people/caller.ts';
import { letsPeopleIn } from './allowed.ts';
import type { RegistrationDeps } from './ports.ts';
import { mayActFor, NOT_FOR_OTHERS } from './register.ts';
import type { Registration } from './registration.ts';

/**
 * Records that a confirmed person has come. Changes no seats, so it bypasses the event queue. May be repeated.
 * @throws Refused `not_found`, `forbidden`, `registration_not_active` if not confirmed, `event_not_published`
 */
export async function checkIn(
  deps: Pick<RegistrationDeps, 'transact' | 'clock' | 'events' | 'facts' | 'registrations'>,
  caller: Caller,
  { event_id, id }: { event_id: string; id: string },
): Promise<Registration> {
  return deps.transact(async (tx) => {
    // In sequence, because a MongoDB transaction does not support parallel commands.
    const event = await deps.events.find(caller, event_id, tx);
    const registration = await deps.registrations.find(caller, event_id, id, tx);
    if (!event || !registration) throw notFound();
    if (!mayActFor(caller, registration.user_id)) throw new Refused(NOT_FOR_OTHERS);
    if (!letsPeopleIn(event.status)) {
      const extra = { current_status: event.status };
      throw new Refused({
        code: 'event_not_published',
        detail: `The event is ${event.status}. Check-in needs a published or running event.`,
        extra,
      });
    }
    if (registration.status !== 'confirmed') {
      throw new Refused({
        code: 'registration_not_active',
        detail: `The registration is ${registration.status}. Only confirmed registrations can be checked in.`,
      });
    }
    if (registration.checked_in_at) return registration;
    const now = deps.clock.now();
    const after = { ...registration, checked_in_at: now, updated_at: now };
    await deps.registrations.changeMany([{ before: registration, after }], tx);
    const data = { registration_id: id, user_id: registration.user_id };
    const head = { ...scopeOf(event), event_id, occurred_at: now, actor: actorOf(caller) };
    await deps.facts.record([{ ...head, type: 'registration.checked_in', data }], tx);
    return after;
  });
}
