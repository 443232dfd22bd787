import type { mongo } from 'mongoose';
import type { Clock } from '../core/clock.ts';
import type { Transact, TransactOnce } from '../core/transaction.ts';
import type { LocalWakeUps } from '../core/wake-ups.ts';
import type { CollectionName, StoredRows } from './collections.ts';
import type { Collection } from './rows.ts';

/** The database as the stores see it: collections, transactions, and the database's own clock. */
export type Database = {
  readonly name: string;
  collection: {
    <Name extends CollectionName>(name: Name): Collection<StoredRows[Name]>;
    /** With rows of another shape, for code that works on any collection. */
    <Row>(name: CollectionName): Collection<Row>;
  };
  /** Reads many rows in one command. */
  readAll<Row>(
    name: CollectionName,
    filter: object,
    how: { projection?: object; sort?: Readonly<Record<string, 1 | -1>>; limit: number; hint?: string },
  ): Promise<Row[]>;
  /** Opens a change stream over all collections. */
  watch(pipeline: object[], options: mongo.ChangeStreamOptions): mongo.ChangeStream;
  /** Wake-ups for the loops of all processes: notified when this process has stored work for them. */
  work: LocalWakeUps;
  transact: Transact;
  transactOnce: TransactOnce;
  /** The database server's clock, by the offset measured last. */
  clock: Clock;
  /** The latest operation time of the replica set: later writes have a later one. */
  operationTime(): Promise<mongo.Timestamp>;
  ping(): Promise<'ok' | string>;
  /** Whether no server at all has answered for longer than commands wait for a new primary, so that they would wait in vain. */
  isAway(): boolean;
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
