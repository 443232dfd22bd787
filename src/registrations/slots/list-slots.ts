import type { SchoolEvent } from '../../events/event.ts';
import { type Slot, slotsOf, spanOfSlot } from '../../events/rules/slots.ts';
import type { Caller } from '../../people/caller.ts';
import { mayReadRoster } from '../allowed.ts';
import type { Registration } from '../registration.ts';
import { loadPeople, type RosterDeps } from '../roster.ts';

/**
 * Lists the slots of an event by time, with the family that has each. Hosts see who comes to them; the organizer and staff who
 * manage registrations see it of all.
 */
export async function listSlots(deps: RosterDeps, caller: Caller, event: SchoolEvent) {
  const offered = slotsOf(event);
  if (offered.length === 0) return [];
  const rows = await deps.registrations.listWithSlots(caller, event.id);
  const seesAll = mayReadRoster(caller, event);
  const people = await loadPeople(
    deps,
    caller,
    rows.flatMap(({ user_id, registered_by }) => [user_id, registered_by]),
  );
  const nameOf = (user_id: string) => people.get(user_id)?.name ?? null;
  const takenBy = ({ id, user_id, registered_by, notes }: Registration) => ({
    registration_id: id,
    user_id,
    name: nameOf(user_id),
    class_ids: people.get(user_id)?.class_ids ?? [],
    registered_by: nameOf(registered_by),
    notes,
  });
  const holders = new Map(rows.flatMap((row) => (row.slots ?? []).map((slot) => [keyOf(slot), row] as const)));
  return offered.map((slot) => {
    const taken = holders.get(keyOf(slot));
    const isNamed = seesAll || slot.host_user_id === caller.user_id;
    return {
      ...slot,
      ...spanOfSlot(event, slot),
      is_free: !taken,
      taken_by: taken && isNamed ? takenBy(taken) : null,
    };
  });
}

const keyOf = ({ host_user_id, minute }: Slot): string => `${minute} ${host_user_id}`;
