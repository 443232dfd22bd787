import type { Connection, mongo } from 'mongoose';
import { COLLECTION_NAMES, type CollectionName } from './collections.ts';
import { recountTallies } from './events/event-tallies.ts';

const CLOCK_LIMIT_MS = 5_000;

/** Creates missing collections and indexes, and counts events again. */
export async function setUp(connection: Connection): Promise<void> {
  const existing = new Set((await connection.listCollections()).map(({ name }) => name));
  await Promise.all(COLLECTION_NAMES.map((name) => setUpCollection(connection, name, existing.has(name))));
  await recountTallies(connection.getClient());
}

async function setUpCollection(connection: Connection, name: CollectionName, exists: boolean): Promise<void> {
  const model = connection.model(name);
  if (exists) await dropOutdated(connection, name);
  else await model.createCollection();
  // In one command the server scans the collection once for all indexes.
  const indexes = model.schema.indexes().map(([key, options]) => ({ key, ...options }));
  if (indexes.length > 0) await connection.collection(name).createIndexes(indexes as mongo.IndexDescription[]);
}

/** Drops indexes of earlier versions, which block a changed index of the same name. */
async function dropOutdated(connection: Connection, name: CollectionName): Promise<void> {
  const wanted = new Map(
    connection
      .model(name)
      .schema.indexes()
      .map(([key, { name, partialFilterExpression }]) => [name, JSON.stringify([key, partialFilterExpression])]),
  );
  for (const { name: known = '', key, partialFilterExpression } of await connection.collection(name).indexes()) {
    const successor = wanted.get(known);
    if (successor !== undefined && successor !== JSON.stringify([key, partialFilterExpression]))
      await connection.collection(name).dropIndex(known);
  }
}

/** Why a process must not start with this database; empty if it may. @param offset its clock minus ours, in milliseconds */
export async function bootFaults(connection: Connection, offset: number): Promise<string[]> {
  const faults: string[] = [];
  const hello = await connection.getClient().db().command({ hello: 1 });
  if (!hello.setName)
    faults.push('MongoDB is a standalone server: transactions need a replica set (one node is enough)');
  if (Math.abs(offset) > CLOCK_LIMIT_MS) {
    faults.push(
      `the clocks of this machine and of MongoDB are ${Math.round(Math.abs(offset) / 1000)} s apart (at most 5)`,
    );
  }
  for (const name of COLLECTION_NAMES) {
    const missing = await missingIndexes(connection, name);
    if (missing.length > 0)
      faults.push(`collection ${name} lacks the index ${missing.join(', ')}: run \`npm run setup\``);
  }
  return faults;
}

async function missingIndexes(connection: Connection, name: CollectionName): Promise<string[]> {
  const existing = await connection
    .collection(name)
    .indexes()
    .catch(() => []);
  const have = new Set(existing.map((index) => JSON.stringify([index.key, index.unique ?? false])));
  return connection
    .model(name)
    .schema.indexes()
    .filter(([key, options]) => !have.has(JSON.stringify([key, options.unique ?? false])))
    .map(([key, options]) => options.name ?? Object.keys(key).join('_'));
}
