import type { Scope } from '../../people/caller.ts';
import { loadContacts } from '../../people/find-people.ts';
import type { Delivery } from '../delivery.ts';
import { childIdsOf, consentingIds, namedIdsOf, tiesOf } from '../policy/recipients.ts';
import type { NotificationStores } from '../ports.ts';

/**
 * Loads what the gate asks about the people of these rows of one school: opt-outs and quiet hours by person, who has left, and
 * today’s guardians by child.
 */
export async function loadReaders(
  { preferences, contacts }: Pick<NotificationStores, 'preferences' | 'contacts'>,
  scope: Scope,
  rows: readonly Delivery[],
) {
  const children = childIdsOf(rows);
  const [found, left, known] = await Promise.all([
    preferences.findMany(scope, [...new Set(rows.flatMap(consentingIds))]),
    contacts.findLeft(scope, namedIdsOf(rows)),
    children.length > 0 ? loadContacts({ contacts }, scope, children) : new Map(),
  ]);
  return {
    wishes: new Map(found.map((row) => [row.user_id, row.opted_out])),
    quietHours: new Map(found.map((row) => [row.user_id, row.quiet_hours])),
    ...tiesOf(known),
    // Replaces what `tiesOf` knows of the children alone.
    left,
  };
}
