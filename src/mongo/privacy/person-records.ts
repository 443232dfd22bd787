import { fromKeys } from '../../core/objects.ts';
import { type Scope, scopeOf } from '../../people/caller.ts';
import type { PersonRecords } from '../../privacy/ports.ts';
import type { CollectionName } from '../collections.ts';
import type { Database } from '../database.ts';

type Owned = { by: string; where?: object; without: readonly string[] };

/** The collections with data about a person, and the fields left out: secrets, data of others, and what only workers need. */
const OWNED: { readonly [Name in CollectionName]?: Owned } = {
  contacts: { by: 'user_id', without: ['words', 'addresses'] },
  preferences: { by: 'user_id', without: [] },
  view_starts: { by: 'user_id', without: [] },
  push_subscriptions: { by: 'user_id', without: ['keys'] },
  feeds: { by: 'user_id', without: ['digest'] },
  registrations: { by: 'user_id', without: ['origin', 'promoted_by'] },
  deliveries: {
    by: 'user_id',
    without: [
      'also',
      'given_by',
      'address_owners',
      'claim',
      'lease_until',
      'fence',
      'digest_key',
      'digest_ids',
      'arrived',
    ],
  },
  // The person's answers to text messages.
  facts: { by: 'data.user_id', where: { type: 'message.answered' }, without: ['actor', 'relay', 'parts'] },
};

/** Reads the documents about a person, by collection; each query uses an index that exists for other reasons. */
export async function readRecords(database: Database, scope: Scope, user_id: string): Promise<PersonRecords> {
  const found = await Promise.all(
    Object.entries(OWNED).map(async ([name, { by, where, without }]) => {
      const hidden = fromKeys(['_id', 'tenant_id', 'school_id', ...without], () => 0);
      const rows = database.collection<Record<string, unknown>>(name as CollectionName);
      const filter = { ...scopeOf(scope), ...where, [by]: user_id };
      return [name, await rows.find(filter, { projection: hidden }).toArray()] as const;
    }),
  );
  return Object.fromEntries(found.filter(([, rows]) => rows.length > 0));
}
