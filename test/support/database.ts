import type mongoose from 'mongoose';
import { beforeEach, inject } from 'vitest';
import { freshDatabaseUri } from '../../src/dev/services/given-servers.ts';
import { COLLECTION_NAMES, type CollectionName } from '../../src/mongo/collections.ts';
import type { Database } from '../../src/mongo/database.ts';
import { openDatabase, withDatabase } from '../../src/mongo/open-database.ts';

export { freshDatabaseUri };

/** Creates all collections and indexes, as `npm run setup` does. */
export const setUp = (uri: string): Promise<void> => withDatabase(uri, (database) => database.setUp());

let shared: Promise<{ uri: string; database: Database }> | undefined;

async function openShared() {
  const uri = freshDatabaseUri(inject('mongodbUri'));
  const database = await openDatabase(uri);
  await database.setUp();
  return { uri, database };
}

async function emptyShared() {
  shared ??= openShared();
  const { uri, database } = await shared;
  await clear(database);
  return { uri, database };
}

/** A database with all indexes and no rows; the files that a worker runs share it, since a new one takes half a second of CPU. */
export const emptyDatabase = async (): Promise<Database> => (await emptyShared()).database;

/** The same database, emptied before each test and each new try of it. */
export async function provideDatabase(): Promise<Database> {
  beforeEach(emptyShared);
  shared ??= openShared();
  return (await shared).database;
}

/** The address of that database, for code that opens its own connections. */
export const emptyDatabaseUri = async (): Promise<string> => (await emptyShared()).uri;

/** The hash of a collection without documents: MD5 of nothing. */
const EMPTY = 'd41d8cd98f00b204e9800998ecf8427e';

/** The driver's own object, for commands that the product never sends. */
export function nativeDb(database: Database): mongoose.mongo.Db {
  const { db } = (database.collection('events') as unknown as mongoose.Collection).conn;
  if (!db) throw new Error('the database connection is closed');
  return db;
}

/** A hash of every collection, by name. */
const hashesOf = async (database: Database): Promise<Record<string, string>> =>
  (await nativeDb(database).command({ dbHash: 1 })).collections;

/** All documents, read by one command, since one for each collection takes most of the time. */
export async function readAllRows(
  database: Database,
): Promise<{ name: CollectionName; row: mongoose.mongo.Document }[]> {
  const ofEach = COLLECTION_NAMES.map((coll) => {
    const named = { $replaceWith: { name: coll, row: '$$ROOT' } };
    return { $unionWith: { coll, pipeline: [named] } };
  });
  const rows = nativeDb(database).aggregate([{ $documents: [] }, ...ofEach]);
  return (await rows.toArray()) as { name: CollectionName; row: mongoose.mongo.Document }[];
}

/** Deletes all documents. One question finds the collections that have any, because most are empty and each delete costs. */
export async function clear(database: Database): Promise<void> {
  const hashes = await hashesOf(database);
  const used = COLLECTION_NAMES.filter((name) => hashes[name] !== EMPTY);
  await Promise.all(used.map((name) => database.collection(name).deleteMany({})));
}

/** Set-up databases that nothing uses, since setting one up takes half a second of CPU, and more the more there are. */
const unused: string[] = [];

/** The address of an empty database that nothing else uses; it may be set up already. */
export const takeDatabase = (): string => unused.pop() ?? freshDatabaseUri(inject('mongodbUri'));

/** Empties a database that was taken, for the next file. */
export async function returnDatabase(database: Database, uri: string): Promise<void> {
  await clear(database);
  unused.push(uri);
}

/**
 * Copies all documents, since making them anew takes many requests.
 * @returns a function that lists the collections which are not as they were, and one that puts their documents back
 */
export async function keepDocuments(database: Database) {
  const hashes = await hashesOf(database);
  const kept = await readAllRows(database);
  async function changed(): Promise<CollectionName[]> {
    const now = await hashesOf(database);
    return COLLECTION_NAMES.filter((name) => now[name] !== hashes[name]);
  }
  async function restore(): Promise<void> {
    const restoring = (await changed()).map(async (name) => {
      const rows = kept.filter((one) => one.name === name).map(({ row }) => row);
      await database.collection(name).deleteMany({});
      if (rows.length > 0) await database.collection(name).insertMany(rows as never);
    });
    await Promise.all(restoring);
  }
  return { changed, restore };
}
