import mongoose, { type Connection, type mongo } from 'mongoose';
import { type Clock, within } from '../core/clock.ts';
import { tooManyChanges } from '../core/errors.ts';
import { type Transact, type TransactOnce, type Tx, WriteConflict } from '../core/transaction.ts';
import { type LocalWakeUps, localWakeUps } from '../core/wake-ups.ts';
import { type CollectionName, defineCollections } from './collections.ts';
import { DriverConnection } from './driver-connection.ts';
import { connectionRefused, isContention, retryableWork } from './mongo-errors.ts';
import { type Collection, type ReadAll, readAllOn } from './rows.ts';
import { bootFaults, planSetUp, setUp } from './set-up.ts';
import type { StoredRows } from './stored-rows.ts';
import { transactionReaper } from './transaction-reaper.ts';

/** The database as the stores see it: collections, transactions, and the database's own clock. */
export type Database = {
  collection: {
    <Name extends CollectionName>(name: Name): Collection<StoredRows[Name]>;
    /** With rows of another shape, for code that works on any collection. */
    <Row>(name: CollectionName): Collection<Row>;
  };
  readAll: ReadAll;
  /** Opens a change stream over all collections. */
  watch(pipeline: object[], options: mongo.ChangeStreamOptions): mongo.ChangeStream;
  /** Notified when this process has made work that loops of any process look for. */
  work: LocalWakeUps;
  transact: Transact;
  transactOnce: TransactOnce;
  /** The database server's clock, by the offset measured last. */
  clock: Clock;
  /** The latest operation time of the replica set: later writes have a later one. */
  operationTime(): Promise<mongo.Timestamp>;
  ping(): Promise<'ok' | string>;
  /** The server's id of a collection, which changes if it is dropped and created again. Null: it does not exist. */
  collectionId(name: CollectionName): Promise<string | null>;
  /** Calls `listener` whenever connections to a server are lost or closed. */
  onConnectionLost(listener: () => void): void;
  /** Creates missing collections and indexes, then runs the pending migrations. Repeating it changes nothing. */
  setUp(): Promise<void>;
  /** Lists the changes that `setUp` would make, one line each. */
  planSetUp(): Promise<string[]>;
  /** Why a process must not start here; empty if it may. */
  faults(): Promise<string[]>;
  close(): Promise<void>;
};

const SELECTION_MS = 5_000;
const PING_MS = 2_000;
/** The name of our connections, before that of the process. */
const PROGRAM = 'schoolbell';
const CLOCK_EVERY_MS = 30_000;
/** How often the driver looks for connections of the pool that it has to close. */
const POOL_CHECK_MS = 10_000;
// After this time of write conflicts a transaction fails with `busy`, and the caller may retry.
const TRANSACTION_LIMIT_MS = 20_000;
const DURABLE: mongo.TransactionOptions = {
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority', journal: true },
};

/**
 * Opens one pooled connection. MongoDB's list of operations shows `processName`.
 * @throws ConnectionRefused with the cause if no server takes us within five seconds
 */
export async function openDatabase(
  uri: string,
  { poolSize = 30, processName }: { poolSize?: number; processName?: string } = {},
): Promise<Database> {
  const appName = processName === undefined ? PROGRAM : `${PROGRAM} ${processName}`;
  const client = await connectClient(uri, poolSize, appName).catch((error) => {
    throw connectionRefused(error);
  });
  const connection = mongoose.createConnection().setClient(client);
  defineCollections(connection);
  const reap = transactionReaper(connection);
  let offset = await clockOffset(connection);
  const timer = setInterval(() => {
    clockOffset(connection).then(
      (measured) => {
        offset = measured;
      },
      () => {}, // the last offset is good enough while the database is unreachable
    );
  }, CLOCK_EVERY_MS);
  timer.unref();
  const database: Database = {
    collection: (name: CollectionName) => connection.collection(name) as never,
    readAll: readAllOn(connection, () => native(connection)),
    watch: (pipeline, options) => native(connection).watch(pipeline, options),
    work: localWakeUps(),
    transact: transactOn(connection, reap),
    transactOnce: transactOnceOn(connection, reap),
    clock: { now: () => new Date(Date.now() + offset) },
    operationTime: async () => (await native(connection).command({ hello: 1 })).operationTime,
    ping: () =>
      within(PING_MS, native(connection).command({ ping: 1 }), () => Promise.reject()).then(
        () => 'ok',
        () => 'MongoDB does not answer',
      ),
    async collectionId(name) {
      const [found] = await native(connection).listCollections({ name }).toArray();
      return found && 'info' in found ? String(found.info?.uuid) : null;
    },
    onConnectionLost: (listener) => void connection.getClient().on('connectionPoolCleared', listener),
    setUp: () => setUp(connection, database),
    planSetUp: () => planSetUp(connection, database),
    faults: () => bootFaults(connection, database, offset),
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

async function connectClient(uri: string, poolSize: number, appName: string): Promise<mongo.MongoClient> {
  const client = new mongoose.mongo.MongoClient(uri, {
    maxPoolSize: poolSize,
    serverSelectionTimeoutMS: SELECTION_MS,
    writeConcern: { w: 'majority', journal: true },
    readPreference: 'primary',
    ignoreUndefined: true,
    appName,
  });
  // Options without types. The driver's own pause wakes an idle process ten times a second.
  Object.assign(client.options, { minPoolSizeCheckFrequencyMS: POOL_CHECK_MS, connectionType: DriverConnection });
  return client.connect();
}

/** The driver option for a transaction. */
export const inTx = (tx: Tx | undefined): { session?: mongo.ClientSession } =>
  tx ? { session: tx as unknown as mongo.ClientSession } : {};

function native(connection: Connection): mongo.Db {
  if (!connection.db) throw new Error('the database connection is closed');
  return connection.db;
}

function transactOn(connection: Connection, reap: () => void): Transact {
  return async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const session = connection.getClient().startSession();
    const tx = session as unknown as Tx;
    const until = performance.now() + TRANSACTION_LIMIT_MS;
    let tries = 0;
    const once = () => {
      if (tries++ > 0) {
        // The driver itself would retry for two minutes.
        if (performance.now() > until) throw tooManyChanges();
        reap();
      }
      resetAfterCommit(tx);
      return retryableWork(() => work(tx));
    };
    try {
      const result = await session.withTransaction(once, DURABLE);
      runAfterCommit(tx);
      return result as T;
    } finally {
      await session.endSession();
    }
  };
}

function transactOnceOn(connection: Connection, reap: () => void): TransactOnce {
  return async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const session = connection.getClient().startSession();
    const tx = session as unknown as Tx;
    try {
      session.startTransaction(DURABLE);
      resetAfterCommit(tx);
      const result = await retryableWork(() => work(tx));
      await commit(session);
      runAfterCommit(tx);
      return result;
    } catch (error) {
      if (session.inTransaction()) await session.abortTransaction().catch(() => {});
      if (!isContention(error)) throw error;
      reap();
      throw new WriteConflict('another transaction committed first', { cause: error });
    } finally {
      await session.endSession();
    }
  };
}

/** Repeats a commit whose answer was lost, which is idempotent. */
async function commit(session: mongo.ClientSession): Promise<void> {
  for (const until = Date.now() + TRANSACTION_LIMIT_MS; ; ) {
    try {
      return await session.commitTransaction();
    } catch (error) {
      const unknown =
        error instanceof mongoose.mongo.MongoError && error.hasErrorLabel('UnknownTransactionCommitResult');
      if (!unknown || Date.now() > until) throw error;
    }
  }
}

/** Database clock minus ours in milliseconds, from the fastest of three queries. */
async function clockOffset(connection: Connection): Promise<number> {
  let best = { took: Number.POSITIVE_INFINITY, offset: 0 };
  for (let i = 0; i < 3; i++) {
    const asked = Date.now();
    const { localTime } = await native(connection).command({ hello: 1 });
    const took = Date.now() - asked;
    if (took < best.took) best = { took, offset: offsetOf(localTime, asked, took) };
  }
  return best.offset;
}

/**
 * Clock of a server minus ours in milliseconds, by its answer to a query.
 * @param took how long the query took. The clock was read at any moment of it, so a difference that it explains is none:
 *   otherwise a busy machine would seem to be ahead of its own clock.
 */
export function offsetOf(answer: Date, asked: number, took: number): number {
  const offset = answer.getTime() - asked - took / 2;
  return Math.abs(offset) <= took / 2 + 1 ? 0 : Math.round(offset);
}

type Callback = () => void;

const callbacks = new WeakMap<Tx, Callback[]>();

/** Calls `callback` after this transaction has committed; never if the process ends in between, so only for optional work. */
export function afterCommit(tx: Tx, callback: Callback): void {
  callbacks.get(tx)?.push(callback);
}

/** Drops the callbacks of an earlier try of the transaction. */
export function resetAfterCommit(tx: Tx): void {
  callbacks.set(tx, []);
}

export function runAfterCommit(tx: Tx): void {
  for (const callback of callbacks.get(tx) ?? []) callback();
}
