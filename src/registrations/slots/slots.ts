import { fault, type Refusal } from '../../core/errors.ts';
import { isSameSlot, overlap, type Slot, slotsOf } from '../../events/rules/slots.ts';
import type { Caller } from '../../people/caller.ts';
import { isActive, isOwn, type Registration } from '../registration.ts';
import type { SeatBook } from '../seats/seat-book.ts';

/** The people whose meetings the caller attends. */
export const familyOf = ({ user_id, children }: Caller): string[] => [user_id, ...children];

/**
 * Why a registration can't have these slots; null if it can. A child meets a host once, no slot is given twice, and the person
 * who registers the children is in one place at a time.
 * @param id the registration that changes; null for a new one
 * @param chosen meetings of those who register in the same step
 */
export function refuseSlots(
  book: SeatBook,
  caller: Caller,
  id: string | null,
  slots: readonly Slot[],
  chosen: readonly Slot[] = [],
): Refusal | null {
  const { event } = book;
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
  const clash = slots.find((slot, at) =>
    [...attended, ...slots.slice(at + 1)].some((other) => overlap(event, slot, other)),
  );
  if (!clash) return null;
  return {
    code: 'slots_overlap',
    detail: 'You have another meeting at this time. Choose a time before or after it.',
    extra: { slots: [clash] },
  };
}

const slotsOfRow = ({ slots = [] }: Registration): readonly Slot[] => slots;

const invalidSlots = (message: string): Refusal => ({
  code: 'validation_failed',
  detail: `/slots ${message}`,
  errors: [fault('/slots', message, 'slots')],
});
