import { COLLECTION_NAMES, type CollectionName } from '../../../src/mongo/collections.ts';
import type { Database } from '../../../src/mongo/database.ts';
import type { Docs } from './person-everywhere.ts';

export async function store(database: Database, docs: Docs): Promise<void> {
  await Promise.all(
    Object.entries(docs).map(([name, rows]) =>
      database.collection(name as CollectionName).insertMany(structuredClone(rows) as never),
    ),
  );
}

/** All documents of a tenant, or of all, by `collection/_id`. */
export async function dump(database: Database, tenant_id?: string): Promise<Map<string, object>> {
  const places = ['tenant_id', 'marked.tenant_id', 'arrived.tenant_id'].map((field) => ({ [field]: tenant_id }));
  const all = await Promise.all(
    COLLECTION_NAMES.map(async (name) => {
      const rows = database.collection(name).find((tenant_id ? { $or: places } : {}) as never);
      return (await rows.toArray()).map((row) => [`${name}/${row._id}`, row] as const);
    }),
  );
  return new Map(all.flat());
}
