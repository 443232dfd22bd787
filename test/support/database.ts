import { inject } from 'vitest';
import { freshDatabaseUri } from '../../src/dev/services/given-servers.ts';
import { COLLECTION_NAMES, type CollectionName } from '../../src/mongo/collections.ts';
import { type Database, openDatabase } from '../../src/mongo/database.ts';

export { freshDatabaseUri };

/** Tests need no journal: what they lose with the server, they don't miss. */
const UNSAFE = { writeConcern: { w: 1, journal: false } };

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
  await clear(database);
  return database;
}

/** Deletes all documents. One question finds the collections that have any, because most are empty and each delete costs. */
export async function clear(database: Database): Promise<void> {
  const nameOfAny = (name: CollectionName) => [{ $limit: 1 }, { $project: { _id: 0, name: { $literal: name } } }];
  const [first = 'events', ...others] = COLLECTION_NAMES;
  const used = await database
    .collection(first)
    .aggregate<{ name: CollectionName }>([
      ...nameOfAny(first),
      ...others.map((coll) => ({ $unionWith: { coll, pipeline: nameOfAny(coll) } })),
    ])
    .toArray();
  await Promise.all(used.map(({ name }) => database.collection(name).deleteMany({}, UNSAFE)));
}

/** Copies all documents, since making them anew takes many requests. @returns a function that puts them back */
export async function keepDocuments(database: Database): Promise<() => Promise<void>> {
  const kept = await Promise.all(
    COLLECTION_NAMES.map(async (name) => ({ name, rows: await database.collection(name).find().toArray() })),
  );
  return async () => {
    await clear(database);
    await Promise.all(
      kept.map(({ name, rows }) => rows.length > 0 && database.collection(name).insertMany(rows, UNSAFE)),
    );
  };
}
