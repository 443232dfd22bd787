import type { Refusal } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import type { SchoolEvent } from '../events/event.ts';
import type { NewFact } from '../outbox/fact.ts';
import { actorOf, type Caller, scopeOf } from '../people/caller.ts';
import { may, missingPermission } from '../people/permissions.ts';
import { mayOpen, maySee } from '../people/visibility.ts';
import { admit, refuseRepeated } from './admission.ts';
import type { EventQueues, RecordReply, SeatRequest } from './ports.ts';
import { isOwn, type Registration, type RegistrationKind } from './registration.ts';
import { record, type SeatBook, upsert, waitlistPositionsOf } from './seat-book.ts';

export type RegisterInput = {
  kind: RegistrationKind;
  notes?: string | null | undefined;
  /** another person: the caller's child, or anyone for those who manage registrations */
  user_id?: string | undefined;
  /** false: refuse instead of adding to the waitlist */
  waitlist?: boolean | undefined;
  /** those who manage registrations may pass the deadline and the capacity; recorded in the timeline */
  override?: boolean | undefined;
  contact?: { email?: string | null | undefined; phone?: string | null | undefined } | null | undefined;
};

export type Registered = { registration: Registration; waitlist_position: number | null };

/**
 * Registers a person: a seat, a place on the waitlist, or a refusal. Counters, registration, fact and stored reply are one
 * transaction. Every change of seats writes the event's row, so that two people never get the same seat.
 * @param event as it was just read; it may have changed since
 * @throws Refused `not_found`, `forbidden`, `already_registered`, `rate_limited`, `busy` and what `admit` refuses
 */
export async function register(
  deps: { eventQueues: EventQueues },
  caller: Caller,
  event: SchoolEvent,
  input: RegisterInput,
  recordReply?: RecordReply<Registered>,
): Promise<Registered> {
  const user_id = input.user_id ?? caller.user_id;
  const request: SeatRequest<Registered> = {
    event,
    needs: { user_ids: [user_id] },
    decide(book, now) {
      const id = signUp(book, caller, user_id, input, now);
      return typeof id === 'string' ? { result: () => resultOf(book, id) } : id;
    },
  };
  return deps.eventQueues.submit(scopeOf(caller), event.id, request, recordReply);
}

/** @returns the id of the new registration, or a refusal */
function signUp(book: SeatBook, caller: Caller, user_id: string, input: RegisterInput, now: Date): string | Refusal {
  const { event } = book;
  if (!mayOpen(caller, event)) return { code: 'not_found' };
  if (!mayActFor(caller, user_id)) return NOT_FOR_OTHERS;
  if (user_id === caller.user_id && !maySee(caller, event)) return FOR_STUDENTS;
  if (book.active.has(user_id))
    return { code: 'already_registered', detail: 'This person is already registered for the event.' };
  const repeated = refuseRepeated(book.registeredAt.get(user_id) ?? [], now);
  if (repeated) return repeated;
  const override = input.override ?? false;
  if (override && !may(caller, 'manage_registrations'))
    return { code: 'forbidden', detail: missingPermission('manage_registrations') };
  const admission = admit(event, now, { mayWait: input.waitlist ?? true, override });
  if ('code' in admission) return admission;
  const { status } = admission;
  const registration: Registration = {
    ...scopeOf(caller),
    id: newId(),
    event_id: event.id,
    user_id,
    kind: input.kind,
    notes: input.notes ?? null,
    status,
    contact: input.contact ? { email: input.contact.email ?? null, phone: input.contact.phone ?? null } : null,
    waitlist_number: status === 'waitlisted' ? event.last_waitlist_number + 1 : null,
    confirmation: status === 'confirmed' ? 1 : 0,
    override,
    registered_by: caller.user_id,
    promoted_by: null,
    promoted_because: null,
    cancel_reason: null,
    created_at: now,
    updated_at: now,
    confirmed_at: status === 'confirmed' ? now : null,
    cancelled_at: null,
    checked_in_at: null,
  };
  upsert(book, registration);
  record(book, actorOf(caller), now, factOf(registration, book.event.waitlisted));
  return registration.id;
}

/** A registration with its waitlist position, once the whole group is decided. */
export function resultOf(book: SeatBook, id: string): Registered {
  const registration = book.rows.get(id) as Registration;
  const waits = registration.status === 'waitlisted';
  return { registration, waitlist_position: waits ? (waitlistPositionsOf(book).get(id) ?? null) : null };
}

/**
 * People act for themselves and their children; staff with `events.registrations.manage` for everyone (decisions.md, "who").
 */
export const mayActFor = (caller: Caller, user_id: string): boolean =>
  isOwn(caller, { user_id }) || may(caller, 'manage_registrations');

export const NOT_FOR_OTHERS: Refusal = {
  code: 'forbidden',
  detail:
    'You can do this for yourself and your children. For others, you need the permission events.registrations.manage.',
};

const FOR_STUDENTS: Refusal = {
  code: 'forbidden',
  detail: 'This event is for students. You can register your child.',
};

/** @param position of one who has just joined the end of the waitlist */
function factOf(
  { id, user_id, status, waitlist_number, confirmation, override }: Registration,
  position: number,
): Pick<NewFact, 'type' | 'data'> {
  const ref = { registration_id: id, user_id, ...(override ? { override: true as const } : {}) };
  if (status === 'waitlisted')
    return { type: 'registration.waitlisted', data: { ...ref, waitlist_number: waitlist_number ?? 0, position } };
  if (status === 'pending') return { type: 'registration.pending', data: ref };
  return { type: 'registration.confirmed', data: { ...ref, confirmation } };
}
