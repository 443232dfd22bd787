import { COLLECTION_NAMES } from '../../../src/mongo/collections.ts';
import type { Database } from '../../../src/mongo/database.ts';
import { readAllRows } from '../../support/database.ts';
import type { Docs } from './person-everywhere.ts';

export async function store(database: Database, ...docs: Docs[]): Promise<void> {
  await Promise.all(
    COLLECTION_NAMES.map(async (name) => {
      const rows = docs.flatMap((one) => structuredClone(one[name] ?? []));
      if (rows.length > 0) await database.collection(name).insertMany(rows as never);
    }),
  );
}

/** All documents, by `collection/_id`. */
export async function dump(database: Database): Promise<Map<string, object>> {
  return new Map((await readAllRows(database)).map(({ name, row }) => [`${name}/${row._id}`, row]));
}
