import { notFound } from '../kernel/errors.ts';
import type { Caller } from '../people/caller.ts';
import { mustBeAllowed } from '../people/permissions.ts';
import { maySee } from '../people/visibility.ts';
import type { RegistrationDeps } from './ports.ts';
import type { Registration, RegistrationKind, RegistrationStatus } from './registration.ts';

/** The registrations of one event, oldest first; one row more than `limit` tells that there are more. */
export async function listRegistrations(
  deps: RegistrationDeps,
  caller: Caller,
  event_id: string,
  query: { status?: RegistrationStatus; kind?: RegistrationKind; after?: string; limit: number },
): Promise<Registration[]> {
  const event = await deps.events.find(caller, event_id);
  if (!event || !maySee(caller, event)) throw notFound();
  mustBeAllowed(caller, 'manage_registrations');
  return deps.registrations.page(caller, event_id, { ...query, limit: query.limit + 1 });
}
