import { inject } from 'vitest';
import { freshDatabaseUri } from '../../src/dev/services/given-servers.ts';
import { COLLECTION_NAMES } from '../../src/mongo/collections.ts';
import { type Database, openDatabase } from '../../src/mongo/database.ts';

export { freshDatabaseUri };

let shared: Promise<Database> | undefined;

async function openShared(): Promise<Database> {
  const database = await openDatabase(freshDatabaseUri(inject('mongodbUri')));
  await database.setUp();
  return database;
}

/** A database with all indexes and no rows; the files that a worker runs share it. */
export async function emptyDatabase(): Promise<Database> {
  shared ??= openShared();
  const database = await shared;
  const writeConcern = { w: 1, journal: false };
  await Promise.all(COLLECTION_NAMES.map((name) => database.collection(name).deleteMany({}, { writeConcern })));
  return database;
}
