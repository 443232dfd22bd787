import type { SchoolEvent } from '../events/event.ts';
import type { NewFact } from '../facts/fact.ts';
import { notFound, Refused } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { actorOf, type Caller, scopeOf } from '../people/caller.ts';
import { may } from '../people/permissions.ts';
import { maySee } from '../people/visibility.ts';
import { admit } from './admission.ts';
import type { RegistrationDeps } from './ports.ts';
import type { Registration, RegistrationKind } from './registration.ts';

export type RegisterInput = {
  kind: RegistrationKind;
  notes?: string | null | undefined;
  /** another person: the caller's child, or anyone for those who manage registrations */
  user_id?: string | undefined;
  contact?: { email?: string | null | undefined; phone?: string | null | undefined } | null | undefined;
};

export type Registered = { registration: Registration; waitlist_position: number | null };

/**
 * Signs a person up: a seat, a place on the waitlist, or a refusal. Seat, counters, registration and fact are one
 * transaction; the event's row is written by everyone who takes or frees a seat, so two can never take the same one.
 * @throws Refused `not_found`, `forbidden`, `already_registered` and what `admit` refuses
 */
export async function register(
  deps: RegistrationDeps,
  caller: Caller,
  event_id: string,
  input: RegisterInput,
): Promise<Registered> {
  const user_id = input.user_id ?? caller.user_id;
  return deps.transact(async (tx) => {
    const event = await deps.events.find(caller, event_id, tx);
    if (!event || !maySee(caller, event)) throw notFound();
    mustSpeakFor(caller, user_id);
    if (await deps.registrations.findActive(caller, event_id, user_id, tx)) {
      throw new Refused({ code: 'already_registered', detail: 'this person has an active registration' });
    }
    const now = deps.clock.now();
    const admission = admit(event, now);
    if ('code' in admission) throw new Refused(admission);
    const { status } = admission;
    const waits = status === 'waitlisted';
    const registration: Registration = {
      ...scopeOf(caller),
      id: newId(),
      event_id,
      user_id,
      kind: input.kind,
      notes: input.notes ?? null,
      status,
      contact: input.contact ? { email: input.contact.email ?? null, phone: input.contact.phone ?? null } : null,
      waitlist_number: waits ? event.last_waitlist_number + 1 : null,
      confirmation: status === 'confirmed' ? 1 : 0,
      registered_by: caller.user_id,
      promoted_by: null,
      cancel_reason: null,
      created_at: now,
      updated_at: now,
      confirmed_at: status === 'confirmed' ? now : null,
      cancelled_at: null,
    };
    const counted: SchoolEvent = {
      ...event,
      version: event.version + 1,
      current_attendees: event.current_attendees + (waits ? 0 : 1),
      waitlisted: event.waitlisted + (waits ? 1 : 0),
      last_waitlist_number: event.last_waitlist_number + (waits ? 1 : 0),
    };
    await deps.registrations.insert(registration, tx);
    await deps.events.replace(counted, event.version, tx);
    await deps.facts.record([factOf(registration, caller)], tx);
    return { registration, waitlist_position: waits ? counted.waitlisted : null };
  });
}

/** A person for themselves, a parent for a child, anyone with `events.registrations.manage` (decisions.md, "who"). */
export function mustSpeakFor(caller: Caller, user_id: string): void {
  if (user_id === caller.user_id || caller.children.includes(user_id) || may(caller, 'manage_registrations')) return;
  throw new Refused({
    code: 'forbidden',
    detail: 'only for oneself, one’s children, or with events.registrations.manage',
  });
}

function factOf(registration: Registration, caller: Caller): NewFact {
  const ref = { registration_id: registration.id, user_id: registration.user_id };
  const head = {
    ...scopeOf(registration),
    event_id: registration.event_id,
    occurred_at: registration.created_at,
    actor: actorOf(caller),
  };
  switch (registration.status) {
    case 'waitlisted':
      return {
        ...head,
        type: 'registration.waitlisted',
        data: { ...ref, waitlist_number: registration.waitlist_number ?? 0 },
      };
    case 'pending':
      return { ...head, type: 'registration.pending', data: ref };
    default:
      return { ...head, type: 'registration.confirmed', data: { ...ref, confirmation: registration.confirmation } };
  }
}
