import type { Socket } from 'node:net';
// @ts-expect-error The driver has no types for this module.
import { Connection as PooledConnection } from 'mongodb/lib/cmap/connection.js';
import mongoose, { type mongo } from 'mongoose';
import { cached } from '../core/cached.ts';
import { within } from '../core/clock.ts';
import { localWakeUps } from '../core/wake-ups.ts';
import { type CollectionName, defineCollections } from './collections.ts';
import type { Database } from './database.ts';
import { newerThanKnown, readVersions } from './migrations.ts';
import { connectionRefused } from './mongo-errors.ts';
import { findBootFaults, planSetUp, setUp } from './set-up.ts';
import { transactionsOn } from './transactions.ts';

/** How long a command waits for a primary: a new one takes some seconds. */
const SELECTION_MS = 5_000;
/** A server that hangs is noticed ten seconds later than that, and by default after 40 s. Until then its queries hang too. */
const CONNECT_MS = 10_000;
const PING_MS = 2_000;
const LOOK_EVERY_MS = 1_000;
/** The name of our connections, before that of the process. */
const PROGRAM = 'schoolbell';
const CLOCK_EVERY_MS = 30_000;
/** How often the driver looks for connections of the pool that it has to close. */
const POOL_CHECK_MS = 10_000;

type ConnectionOptions = {
  poolSize?: number;
  /** shown by MongoDB's list of operations */
  processName?: string;
  /** called with whether there is a primary, whenever a server changes its state */
  onPrimary?(isThere: boolean): void;
};

/**
 * Opens one pooled connection.
 * @throws ConnectionRefused with the cause if no server takes us within five seconds
 */
export async function openDatabase(
  uri: string,
  { poolSize = 30, processName, onPrimary }: ConnectionOptions = {},
): Promise<Database> {
  const appName = processName === undefined ? PROGRAM : `${PROGRAM} ${processName}`;
  const client = await connectClient(uri, poolSize, appName).catch((error) => {
    throw connectionRefused(error);
  });
  const db = client.db();
  const connection = mongoose.createConnection().setClient(client);
  defineCollections(connection);
  let offset = await measureOffset(db);
  const timer = setInterval(() => {
    measureOffset(db).then(
      (measured) => {
        offset = measured;
      },
      () => {}, // the last offset is good enough while the database is unreachable
    );
  }, CLOCK_EVERY_MS);
  timer.unref();
  let awaySince = Number.POSITIVE_INFINITY;
  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    const servers = [...newDescription.servers.values()];
    const isAway = servers.every(({ type }) => type === 'Unknown');
    awaySince = isAway ? Math.min(awaySince, performance.now()) : Number.POSITIVE_INFINITY;
    onPrimary?.(servers.some(({ isWritable }) => isWritable));
  });
  const look = cached(LOOK_EVERY_MS, () => database.ping());
  const database: Database = {
    name: db.databaseName,
    collection: (name: CollectionName) => connection.collection(name) as never,
    readAll: readAllOn(db),
    watch: (pipeline, options) => db.watch(pipeline, options),
    work: localWakeUps(),
    ...transactionsOn(client),
    clock: { now: () => new Date(steadyNow() + offset) },
    operationTime: async () => (await db.command({ hello: 1 })).operationTime,
    ping: () =>
      within(PING_MS, db.command({ ping: 1 }), () => Promise.reject()).then(
        () => 'ok',
        () => 'MongoDB does not answer',
      ),
    isAway() {
      const isAway = performance.now() - awaySince > SELECTION_MS;
      // Without a command that waits, the driver looks for a server only every ten seconds.
      if (isAway) void look();
      return isAway;
    },
    async collectionId(name) {
      const [found] = await db.listCollections({ name }).toArray();
      return found && 'info' in found ? String(found.info?.uuid) : null;
    },
    onConnectionLost: (listener) => void client.on('connectionPoolCleared', listener),
    setUp: () => setUp(connection, database),
    planSetUp: () => planSetUp(connection, database),
    faults: () => findBootFaults(connection, database, offset),
    close: async () => {
      clearInterval(timer);
      await connection.close();
    },
  };
  return database;
}

/** Opens the database for one piece of work of a command. */
export async function withDatabase<T>(uri: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(uri, { poolSize: 2 });
  return work(database).finally(() => database.close());
}

/**
 * `withDatabase` for commands on stored data.
 * @throws Error if the database was never set up, since its name may be mistyped, or if a newer program has migrated it
 */
export const withKnownDatabase = <T>(uri: string, work: (database: Database) => Promise<T>): Promise<T> =>
  withDatabase(uri, async (database) => {
    const versions = await readVersions(database);
    const newer = newerThanKnown(versions);
    if (newer) throw new Error(newer);
    if (versions.stored > 0) return work(database);
    throw new Error(`the database ${database.name} was never set up: correct MONGODB_URI, or run \`npm run setup\``);
  });

/**
 * A connection of the driver on which no command hangs. A command that is written while its socket closes waits for the
 * socket to drain, which a closed socket never does (drivers up to 7.9): the whole process could wait for it forever.
 */
class DriverConnection extends PooledConnection {
  constructor(socket: Socket, options: object) {
    super(socket, options);
    socket.once('close', () => socket.emit('drain'));
  }
}

async function connectClient(uri: string, poolSize: number, appName: string): Promise<mongo.MongoClient> {
  const client = new mongoose.mongo.MongoClient(uri, {
    maxPoolSize: poolSize,
    serverSelectionTimeoutMS: SELECTION_MS,
    connectTimeoutMS: CONNECT_MS,
    writeConcern: { w: 'majority', journal: true },
    readPreference: 'primary',
    ignoreUndefined: true,
    appName,
  });
  // Options without types. The driver's own pause wakes an idle process ten times a second.
  Object.assign(client.options, { minPoolSizeCheckFrequencyMS: POOL_CHECK_MS, connectionType: DriverConnection });
  return client.connect();
}

/**
 * Our clock, but without changes of the system time since the process began: until the offset is measured again, such a change
 * would send messages too early.
 */
const steadyNow = (): number => performance.timeOrigin + performance.now();

/** Database clock minus ours in milliseconds, from the fastest of three queries. */
async function measureOffset(db: mongo.Db): Promise<number> {
  let best = { took: Number.POSITIVE_INFINITY, offset: 0 };
  for (let i = 0; i < 3; i++) {
    const asked = steadyNow();
    const { localTime } = await db.command({ hello: 1 });
    const took = steadyNow() - asked;
    if (took < best.took) best = { took, offset: offsetOf(localTime, asked, took) };
  }
  return best.offset;
}

/**
 * Clock of a server minus ours in milliseconds, by its answer to a query.
 * @param took how long the query took. The server read its clock at some moment of the query, so a difference within it counts as
 *   none: otherwise a busy machine would seem to be ahead of its own clock.
 */
export function offsetOf(answer: Date, asked: number, took: number): number {
  const offset = answer.getTime() - asked - took / 2;
  return Math.abs(offset) <= took / 2 + 1 ? 0 : Math.round(offset);
}

/**
 * Reads many rows in one command: a list of fifty events through a cursor of the driver costs the API half as much again.
 * Uses a cursor, which retries once, if the rows do not fit in one answer or the server is lost.
 */
function readAllOn(db: mongo.Db): Database['readAll'] {
  return async (name, filter, how) => {
    const answer = await db
      .command({ find: name, filter, ...how, batchSize: how.limit + 1 }, { ignoreUndefined: true })
      .catch(() => null);
    // If rows are left, the server closes this cursor after its timeout.
    if (answer && Number(answer.cursor.id) === 0) return answer.cursor.firstBatch;
    return (await db
      .collection(name)
      .find(filter, how as never)
      .toArray()) as never;
  };
}
