import type { SchoolEvent } from '../../events/event.ts';
import type { ContactStore } from '../../people/ports.ts';
import type { Recipient } from '../policy/recipients.ts';

/** The organizer; one who has no e-mail address in the directory is replaced by the address of the event, else its author. */
export async function loadOrganizer(
  { contacts }: { contacts: Pick<ContactStore, 'findMany'> },
  event: SchoolEvent,
): Promise<Recipient[]> {
  const { organizer_id, organizer, created_by } = event;
  const known = await contacts.findMany(
    event,
    [organizer_id, created_by].flatMap((id) => id ?? []),
  );
  const find = (id: string | null) => known.find(({ user_id, left_at }) => user_id === id && !left_at) ?? null;
  const own = find(organizer_id);
  const given = own?.email ? null : (organizer?.email ?? null);
  const contact = own ?? (given ? null : find(created_by));
  const user_id = contact?.user_id ?? organizer_id ?? created_by;
  if (user_id === null) return [];
  const snapshot = given === null ? null : { email: given, phone: null };
  return [{ user_id, contact, registration_id: null, confirmation: 0, snapshot, registered_by: created_by }];
}
