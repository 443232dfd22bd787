import type { Connection, mongo } from 'mongoose';
import { COLLECTION_NAMES, type CollectionName } from './collections.ts';
import type { Database } from './database.ts';
import { findPendingMigrations, migrate, newerThanKnown, readVersions } from './migrations.ts';

const CLOCK_LIMIT_MS = 5_000;

/**
 * Creates missing collections and indexes, then runs the pending migrations.
 * @throws Error if a newer program has migrated the database
 */
export async function setUp(connection: Connection, database: Database): Promise<void> {
  await refuseNewer(database);
  const existing = await findCollections(connection);
  await Promise.all(COLLECTION_NAMES.map((name) => setUpCollection(connection, name, existing.has(name))));
  await migrate(database);
}

/** Lists the changes that `setUp` would make, one line each. @throws Error as `setUp` */
export async function planSetUp(connection: Connection, database: Database): Promise<string[]> {
  await refuseNewer(database);
  const existing = await findCollections(connection);
  const perCollection = await Promise.all(
    COLLECTION_NAMES.map(async (name) => {
      const outdated = existing.has(name) ? await findOutdatedIndexes(connection, name) : [];
      const missing = (await findMissingIndexes(connection, name)).filter((index) => !outdated.includes(index));
      return [
        ...(existing.has(name) ? [] : [`create the collection ${name}`]),
        ...outdated.map((index) => `replace the index ${index} of ${name}`),
        ...missing.map((index) => `create the index ${index} of ${name}`),
      ];
    }),
  );
  const pending = await findPendingMigrations(database);
  return [...perCollection.flat(), ...pending.map(({ version, name }) => `migrate to version ${version}: ${name}`)];
}

async function refuseNewer(database: Database): Promise<void> {
  const newer = newerThanKnown(await readVersions(database));
  if (newer) throw new Error(newer);
}

const findCollections = async (connection: Connection): Promise<Set<string>> =>
  new Set((await connection.listCollections()).map(({ name }) => name));

async function setUpCollection(connection: Connection, name: CollectionName, exists: boolean): Promise<void> {
  const model = connection.model(name);
  if (!exists) await model.createCollection();
  else
    for (const index of await findOutdatedIndexes(connection, name)) await connection.collection(name).dropIndex(index);
  // In one command the server scans the collection once for all indexes.
  const indexes = model.schema.indexes().map(([key, options]) => ({ key, ...options }));
  if (indexes.length > 0) await connection.collection(name).createIndexes(indexes as mongo.IndexDescription[]);
}

/** Indexes of earlier versions, which block a changed index of the same name. Keeps indexes that only an operator knows. */
async function findOutdatedIndexes(connection: Connection, name: CollectionName): Promise<string[]> {
  const model = connection.model(name);
  const wanted = model.schema.indexes().map(nameOf);
  const { toDrop } = await model.diffIndexes();
  return toDrop.filter((known) => wanted.includes(known));
}

/** The name of an index: its own, or the one that MongoDB gives it. */
const nameOf = ([key, { name }]: [Record<string, unknown>, { name?: string }]): string =>
  name ?? Object.entries(key).flat().join('_');

/** Why a process must not start with this database; empty if it may. @param offset its clock minus ours, in milliseconds */
export async function findBootFaults(connection: Connection, database: Database, offset: number): Promise<string[]> {
  const faults: string[] = [];
  const hello = await connection.getClient().db().command({ hello: 1 });
  if (!hello.setName)
    faults.push('MongoDB is a standalone server: transactions need a replica set (one node is enough)');
  if (Math.abs(offset) > CLOCK_LIMIT_MS) {
    faults.push(
      `the clocks of this machine and of MongoDB are ${Math.round(Math.abs(offset) / 1000)} s apart (at most 5)`,
    );
  }
  const versions = await readVersions(database);
  const newer = newerThanKnown(versions);
  if (newer) return [...faults, newer];
  if (versions.stored < versions.known)
    return [
      ...faults,
      `the database ${database.name} has schema version ${versions.stored}, not ${versions.known}: run \`npm run setup\``,
    ];
  for (const name of COLLECTION_NAMES) {
    const missing = await findMissingIndexes(connection, name);
    if (missing.length > 0)
      faults.push(`collection ${name} lacks the index ${missing.join(', ')}: run \`npm run setup\``);
  }
  return faults;
}

async function findMissingIndexes(connection: Connection, name: CollectionName): Promise<string[]> {
  const existing = await connection
    .collection(name)
    .indexes()
    .catch(() => []);
  const have = new Set(existing.map((index) => JSON.stringify([index.key, index.unique ?? false])));
  return connection
    .model(name)
    .schema.indexes()
    .filter(([key, options]) => !have.has(JSON.stringify([key, options.unique ?? false])))
    .map(nameOf);
}
