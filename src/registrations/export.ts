import type { SchoolEvent } from '../events/event.ts';
import type { Caller } from '../people/caller.ts';
import { loadContacts, loadGuardians } from '../people/find-people.ts';
import type { RosterFilter } from './ports.ts';
import type { Registration } from './registration.ts';
import { matches, type RosterDeps, type Rostered, readRegistrations, toRoster } from './roster.ts';

/** A registration in a file for people. A student without an address has those of the guardians, who get the messages. */
export type Exported = Rostered & {
  /** the name of the person who registered, if it was another person */
  registrant: string | null;
};

/** Streams all registrations of an event in batches, optionally those that contain every word of `q`. */
export async function* exportRegistrations(
  deps: RosterDeps,
  caller: Caller,
  event: SchoolEvent,
  { q = '', ...filter }: RosterFilter & { q?: string },
): AsyncGenerator<Exported[]> {
  for await (const rows of readRegistrations(deps, caller, event.id, filter))
    yield await toExport(deps, caller, event, rows, q.trim());
}

async function toExport(
  deps: RosterDeps,
  caller: Caller,
  event: SchoolEvent,
  rows: readonly Registration[],
  q: string,
): Promise<Exported[]> {
  const ids = rows.flatMap(({ user_id, registered_by }) => [user_id, registered_by]);
  const people = await loadContacts(deps, caller, ids);
  const found = q === '' ? rows : rows.filter((row) => matches(row, people.get(row.user_id), q));
  const roster = await toRoster(deps, caller, event, found, people);
  const lacking = roster.filter(({ email, phone }) => email === null || phone === null);
  const personOf = ({ registration }: Rostered) => people.get(registration.user_id) ?? { guardians: [] };
  const guardiansOf = await loadGuardians(deps, caller, lacking.map(personOf));
  return roster.map((row) => {
    const { user_id, registered_by } = row.registration;
    const ofGuardians = (field: 'email' | 'phone') =>
      [...new Set(guardiansOf(personOf(row)).flatMap((guardian) => guardian[field] ?? []))].join(', ') || null;
    return {
      ...row,
      email: row.email ?? ofGuardians('email'),
      phone: row.phone ?? ofGuardians('phone'),
      registrant: registered_by === user_id ? null : (people.get(registered_by)?.name ?? registered_by),
    };
  });
}
