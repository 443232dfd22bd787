import type { Clock } from '../core/clock.ts';
import { notFound } from '../core/errors.ts';
import { type Caller, scopeOf } from '../people/caller.ts';
import { mustBeAllowed } from '../people/permissions.ts';
import type { PersonRecords, PersonTraces } from './ports.ts';

/**
 * Collects the data that the caller's school has about a person, for a request of access (GDPR, articles 15 and 20): by kind, as
 * stored, without keys of devices and calendars and without the data of other people. Reads only.
 * @throws Refused `forbidden`, `not_found`
 */
export async function exportPerson(
  { traces, clock }: { traces: Pick<PersonTraces, 'read'>; clock: Clock },
  caller: Caller,
  user_id: string,
): Promise<{ user_id: string; exported_at: Date; records: PersonRecords }> {
  mustBeAllowed(caller, 'manage_contacts');
  const records = await traces.read(scopeOf(caller), user_id);
  if (Object.keys(records).length === 0) throw notFound();
  return { user_id, exported_at: clock.now(), records };
}
