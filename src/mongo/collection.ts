import type { Connection, mongo } from 'mongoose';
import type { CollectionName } from './collections.ts';

/** Fields of the row, and paths and operators of MongoDB; values are not checked. */
export type Filter<Row> = { readonly [Field in keyof Row | '_id']?: unknown } & {
  readonly [path: `${string}.${string}` | `$${string}`]: unknown;
};

type Stored<Row> = Row & { _id: string };
type Update = object | readonly object[];

/** A collection of the driver, typed by its rows. The driver's own types refuse many correct filters and updates. */
export type Collection<Row> = Omit<mongo.Collection, keyof Queries<Row>> & Queries<Row>;

type Queries<Row> = {
  find(filter?: Filter<Row>, options?: mongo.FindOptions): mongo.FindCursor<Stored<Row>>;
  findOne(filter: Filter<Row>, options?: mongo.FindOptions): Promise<Stored<Row> | null>;
  findOneAndUpdate(
    filter: Filter<Row>,
    update: Update,
    options: mongo.FindOneAndUpdateOptions,
  ): Promise<Stored<Row> | null>;
  aggregate<Result extends object>(
    stages: readonly object[],
    options?: mongo.AggregateOptions,
  ): mongo.AggregationCursor<Result>;
  distinct(field: string, filter: Filter<Row>): Promise<unknown[]>;
  countDocuments(filter?: Filter<Row>, options?: mongo.CountDocumentsOptions): Promise<number>;
  insertOne(row: Stored<Row>, options?: mongo.InsertOneOptions): Promise<unknown>;
  insertMany(rows: readonly Stored<Row>[], options?: mongo.BulkWriteOptions): Promise<unknown>;
  replaceOne(filter: Filter<Row>, row: Omit<Row, '_id'>, options?: mongo.ReplaceOptions): Promise<mongo.UpdateResult>;
  updateOne(filter: Filter<Row>, update: Update, options?: mongo.UpdateOptions): Promise<mongo.UpdateResult>;
  updateMany(filter: Filter<Row>, update: Update, options?: mongo.UpdateOptions): Promise<mongo.UpdateResult>;
  deleteOne(filter: Filter<Row>, options?: mongo.DeleteOptions): Promise<mongo.DeleteResult>;
  deleteMany(filter: Filter<Row>, options?: mongo.DeleteOptions): Promise<mongo.DeleteResult>;
  bulkWrite(writes: readonly object[], options?: mongo.BulkWriteOptions): Promise<mongo.BulkWriteResult>;
};

type How = { projection?: object; sort?: Readonly<Record<string, 1 | -1>>; limit: number };

export type ReadAll = <Row>(name: CollectionName, filter: object, how: How) => Promise<Row[]>;

/**
 * Reads many rows in one command: a list of fifty events through a cursor of the driver costs the API half as much again.
 * Uses a cursor, which retries once, if the rows do not fit in one answer or the server is lost.
 */
export function readAllOn(connection: Connection, db: () => mongo.Db): ReadAll {
  return async <Row>(name: CollectionName, filter: object, how: How) => {
    const answer = await db()
      .command({ find: name, filter, ...how, batchSize: how.limit + 1 }, { ignoreUndefined: true })
      .catch(() => null);
    // The server closes the unfinished cursor of the other case.
    if (answer && Number(answer.cursor.id) === 0) return answer.cursor.firstBatch as Row[];
    return (await connection
      .collection(name)
      .find(filter, how as never)
      .toArray()) as Row[];
  };
}
