import type { Caller } from '../people/caller.ts';
import type { RegistrationStore } from './ports.ts';
import { isOwn } from './registration.ts';

/**
 * Whether the caller or a child of theirs has an active registration for an event, or owns the registration `rid`. They may
 * then see the event even if it is hidden from them otherwise.
 */
export async function hasOwnRegistration(
  registrations: Pick<RegistrationStore, 'findAmong'>,
  caller: Caller,
  event_id: string,
  rid?: string,
): Promise<boolean> {
  const wanted = { ids: rid === undefined ? [] : [rid], user_ids: [caller.user_id, ...caller.children] };
  return (await registrations.findAmong(caller, event_id, wanted)).some((registration) => isOwn(caller, registration));
}
