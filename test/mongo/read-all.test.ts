import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Database, openDatabase } from '../../src/mongo/database.ts';
import { freshDatabaseUri } from '../support/database.ts';

const MEGABYTE = 'x'.repeat(1024 * 1024);
const ids = Array.from({ length: 18 }, (_, n) => `mark-${n}`);
let database: Database;
beforeAll(async () => {
  database = await openDatabase(freshDatabaseUri(inject('mongodbUri')));
  const rows = ids.map((_id) => ({ _id, text: MEGABYTE, at: new Date(7) }));
  await database.collection<{ text: string; at: Date }>('marks').insertMany(rows);
});
afterAll(() => database?.close());

test('those that were asked for, with the fields that were asked for', async () => {
  const found = await database.readAll('marks', { _id: { $in: ['mark-3', 'nobody'] } }, { projection: { at: 1 } });
  expect(found).toEqual([{ _id: 'mark-3', at: new Date(7) }]);
});

test('all of them, also where they do not fit in one answer of the server', async () => {
  const found = await database.readAll('marks', { _id: { $in: ids } }, { hint: '_id_' });
  expect(found.map(({ _id }) => _id).sort()).toEqual([...ids].sort());
});

test('a question the server does not understand is thrown', async () => {
  await expect(database.readAll('marks', { $nonsense: 1 })).rejects.toThrow('nonsense');
});
