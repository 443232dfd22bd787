import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../../src/mongo/database.ts';
import { emptyDatabase } from '../support/database.ts';

const MEGABYTE = 'x'.repeat(1024 * 1024);
const ids = Array.from({ length: 18 }, (_, n) => `mark-${n}`);
let database: Database;
beforeAll(async () => {
  database = await emptyDatabase();
  const rows = ids.map((_id) => ({ _id, text: MEGABYTE, at: new Date(7) }));
  await database.collection<{ text: string; at: Date }>('marks').insertMany(rows);
});

test('reads the requested documents with the requested fields', async () => {
  const found = await database.readAll(
    'marks',
    { _id: { $in: ['mark-3', 'nobody'] } },
    { projection: { at: 1 }, limit: 10 },
  );
  expect(found).toEqual([{ _id: 'mark-3', at: new Date(7) }]);
});

test('reads all documents, also if they do not fit into one reply of the server', async () => {
  const found = await database.readAll<{ _id: string }>('marks', { _id: { $in: ids } }, { limit: 20 });
  expect(found.map(({ _id }) => _id).sort()).toEqual([...ids].sort());
});

test('throws on a query that the server rejects', async () => {
  await expect(database.readAll('marks', { $nonsense: 1 }, { limit: 1 })).rejects.toThrow('nonsense');
});
