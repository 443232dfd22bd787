import type { Slot } from '../../events/rules/slots.ts';
import { actorOf } from '../../people/caller.ts';
import { may } from '../../people/permissions.ts';
import { mayActFor, NOT_FOR_OTHERS } from '../allowed.ts';
import type { SeatRequest } from '../ports.ts';
import { type Registered, resultOf } from '../register.ts';
import { isActive } from '../registration.ts';
import { admit } from '../seats/admission.ts';
import { record, upsert } from '../seats/seat-book.ts';
import { seatOperation } from '../seats/seat-operation.ts';
import { familyOf, refuseSlots } from './slots.ts';

type Input = { event_id: string; id: string; slots: readonly Slot[] };

/**
 * Gives a registration other slots and frees those it had, in one transaction. A confirmed one gets a new confirmation.
 * @throws Refused `not_found`, `forbidden`, `registration_not_active`, `event_not_published`, `registration_closed`,
 * `validation_failed`, `slot_taken`, `slots_overlap`, `busy`
 */
export const changeSlots = seatOperation(
  (caller, { id, slots }: Input): SeatRequest<Registered> => ({
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
