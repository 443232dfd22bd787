import { fault, type Refusal } from '../core/errors.ts';
import type { SchoolEvent } from '../events/event.ts';
import { areSameSlots, isSameSlot, overlap, type Slot, slotKey, slotsOf, spanOfSlot } from '../events/rules/slots.ts';
import { loadContacts } from '../people/audience.ts';
import { actorOf, type Caller, may } from '../people/caller.ts';
import { mayActFor, mayReadRegistrations, NOT_FOR_OTHERS } from './allowed.ts';
import type { ListDeps } from './list.ts';
import type { SeatRequest } from './ports.ts';
import { familyOf, type Ids, isActive, isOwn, type Registered, type Registration } from './registration.ts';
import { admit } from './seats/admission.ts';
import { record, resultOf, type SeatBook, upsert } from './seats/seat-book.ts';
import { seatOperation } from './seats/store-seat-book.ts';

/**
 * Why a registration can't have these slots; null if it can. A child meets a host once, no slot is given twice, and the person
 * who registers the children is in one place at a time.
 * @param id the registration that changes; null for a new one
 * @param step `chosen`: meetings of those who register in the same step; `at`: JSON pointer of the person in the request
 */
export function refuseSlots(
  book: SeatBook,
  caller: Caller,
  id: string | null,
  slots: readonly Slot[],
  { chosen = [], at = '' }: { chosen?: readonly Slot[]; at?: string } = {},
): Refusal | null {
  const { event } = book;
  const invalidSlots = (message: string): Refusal => ({
    code: 'validation_failed',
    detail: `${at}/slots ${message}`,
    errors: [fault(`${at}/slots`, message, 'slots')],
  });
  if (!event.slots) return slots.length === 0 ? null : invalidSlots('must be empty: this event has no times to choose');
  if (slots.length === 0) return invalidSlots('must have at least one time');
  const offered = slotsOf(event);
  if (!slots.every((slot) => offered.some((one) => isSameSlot(one, slot))))
    return invalidSlots('must be times of this event');
  if (new Set(slots.map(({ host_user_id }) => host_user_id)).size < slots.length)
    return invalidSlots('must have one time for each teacher');
  const others = [...book.rows.values()].filter((row) => row.id !== id && isActive(row.status));
  const taken = others.flatMap(slotsOfRow).filter((one) => slots.some((slot) => isSameSlot(one, slot)));
  if (taken.length > 0)
    return { code: 'slot_taken', detail: 'Another family has just taken this time.', extra: { slots: taken } };
  const own = others.filter((row) => isOwn(caller, row) && row.registered_by === caller.user_id).flatMap(slotsOfRow);
  const attended = [...own, ...chosen];
  const clash = slots.find((slot, n) =>
    [...attended, ...slots.slice(n + 1)].some((other) => overlap(event, slot, other)),
  );
  if (!clash) return null;
  return {
    code: 'slots_overlap',
    detail: 'You have another meeting at this time. Choose a time before or after it.',
    extra: { slots: [clash] },
  };
}

const slotsOfRow = ({ slots = [] }: Registration): readonly Slot[] => slots;

/**
 * Lists the slots of an event by time, with the family that has each. Hosts see who comes to them; the organizer and staff who
 * manage registrations see it of all.
 */
export async function listSlots(deps: ListDeps, caller: Caller, event: SchoolEvent) {
  const offered = slotsOf(event);
  if (offered.length === 0) return [];
  const rows = await deps.registrations.listWithSlots(caller, event.id);
  const seesAll = mayReadRegistrations(caller, event);
  const user_ids = rows.flatMap(({ user_id, registered_by }) => [user_id, registered_by]);
  const people = await loadContacts(deps, caller, user_ids);
  const nameOf = (user_id: string) => people.get(user_id)?.name ?? null;
  const takenBy = ({ id, user_id, registered_by, notes }: Registration) => ({
    registration_id: id,
    user_id,
    name: nameOf(user_id),
    class_ids: people.get(user_id)?.class_ids ?? [],
    registered_by: nameOf(registered_by),
    notes,
  });
  const holders = new Map(rows.flatMap((row) => (row.slots ?? []).map((slot) => [slotKey(slot), row] as const)));
  return offered.map((slot) => {
    const taken = holders.get(slotKey(slot));
    const isNamed = seesAll || slot.host_user_id === caller.user_id;
    return {
      ...slot,
      ...spanOfSlot(event, slot),
      is_free: !taken,
      taken_by: taken && isNamed ? takenBy(taken) : null,
    };
  });
}

/**
 * Gives a registration other slots and frees those it had, in one transaction. A confirmed one gets a new confirmation.
 * May be repeated: the slots that it has already change nothing.
 * @throws Refused `not_found`, `forbidden`, `registration_not_active`, `event_not_published`, `registration_closed`,
 * `validation_failed`, `slot_taken`, `slots_overlap`, `busy`
 */
export const changeSlots = seatOperation(
  (caller, { id, slots }: Ids & { slots: readonly Slot[] }): SeatRequest<Registered> => ({
    needs: { ids: [id], user_ids: familyOf(caller), slots },
    decide(book, now) {
      const before = book.rows.get(id);
      if (!before) return { code: 'not_found' };
      if (!mayActFor(caller, before.user_id)) return NOT_FOR_OTHERS;
      if (!isActive(before.status))
        return { code: 'registration_not_active', detail: 'The registration was cancelled.' };
      // The registration has its place, so only the state of the event and the deadline count.
      const withRoom = { ...book.event, max_attendees: null, waitlisted: 0 };
      const admission = admit(withRoom, now, { override: may(caller, 'manage_registrations') });
      if ('code' in admission) return admission;
      const refused = refuseSlots(book, caller, id, slots);
      if (refused) return refused;
      if (areSameSlots(slotsOfRow(before), slots)) return { result: () => resultOf(book, id) };
      const isConfirmed = before.status === 'confirmed';
      const confirmation = before.confirmation + (isConfirmed ? 1 : 0);
      upsert(book, { ...before, slots, confirmation, updated_at: now });
      const ref = { registration_id: id, user_id: before.user_id };
      if (isConfirmed)
        record(book, actorOf(caller), now, { type: 'registration.confirmed', data: { ...ref, confirmation } });
      else record(book, actorOf(caller), now, { type: 'registration.edited', data: { ...ref, fields: ['slots'] } });
      return { result: () => resultOf(book, id) };
    },
  }),
);
