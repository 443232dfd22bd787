import mongoose, { type mongo } from 'mongoose';
import type { Moment } from '../core/paging.ts';
import { type Tx, WriteConflict } from '../core/transaction.ts';

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
  insertOne(row: Stored<Row>, options?: mongo.InsertOneOptions): Promise<void>;
  insertMany(rows: readonly Stored<Row>[], options?: mongo.BulkWriteOptions): Promise<void>;
  replaceOne(filter: Filter<Row>, row: Omit<Row, '_id'>, options?: mongo.ReplaceOptions): Promise<mongo.UpdateResult>;
  updateOne(filter: Filter<Row>, update: Update, options?: mongo.UpdateOptions): Promise<mongo.UpdateResult>;
  updateMany(filter: Filter<Row>, update: Update, options?: mongo.UpdateOptions): Promise<mongo.UpdateResult>;
  deleteOne(filter: Filter<Row>, options?: mongo.DeleteOptions): Promise<mongo.DeleteResult>;
  deleteMany(filter: Filter<Row>, options?: mongo.DeleteOptions): Promise<mongo.DeleteResult>;
  bulkWrite(writes: readonly object[], options?: mongo.BulkWriteOptions): Promise<mongo.BulkWriteResult>;
};

/** The driver option for a transaction. */
export const inTx = (tx: Tx | undefined): { session?: mongo.ClientSession } =>
  tx ? { session: tx as unknown as mongo.ClientSession } : {};

/**
 * The conditions of partial indexes (collections.ts). MongoDB uses such an index only if the query names the condition too,
 * even if no other value could match; with a hint alone it reads the whole index.
 */
export const IS_STRING = { $type: 'string' } as const;
export const IS_DATE = { $type: 'date' } as const;

/** The row (`_id`) of a record (`id`). */
export type Row<T extends { id: string }> = Omit<T, 'id'> & { _id: string };

export function rowOf<T extends { id: string }>({ id, ...rest }: T): Row<T> {
  return { _id: id, ...rest };
}

export function recordOf<T extends { id: string }>({ _id, ...rest }: Row<T>): T {
  return { id: _id, ...rest } as unknown as T;
}

/** Reads the rows of a query as records. */
export const recordsOf = async <T extends { id: string }>(found: { toArray(): Promise<Row<T>[]> }): Promise<T[]> =>
  (await found.toArray()).map((row) => recordOf<T>(row));

/** Reads the row of a query as a record; null if there is none. */
export async function foundRecord<T extends { id: string }>(found: Promise<Row<T> | null>): Promise<T | null> {
  const row = await found;
  return row && recordOf<T>(row);
}

/** Reads the ids of the matching rows. */
export const findIds = async <Row>(
  rows: Collection<Row>,
  filter: Filter<Row>,
  options: Omit<mongo.FindOptions, 'projection'> = {},
): Promise<string[]> =>
  (await rows.find(filter, { ...options, projection: { _id: 1 } }).toArray()).map((row) => row._id);

/** Whether any row matches. */
export const exists = async <Row>(
  rows: Collection<Row>,
  filter: Filter<Row>,
  options: Omit<mongo.FindOptions, 'projection'> = {},
): Promise<boolean> => (await rows.findOne(filter, { ...options, projection: { _id: 1 } })) !== null;

/** A filter for instants from `from` until before `to`; without bounds it matches everything. */
export const during = (field: string, from?: Date, to?: Date): object =>
  from || to ? { [field]: { $gte: from, $lt: to } } : {};

/** Matches the rows behind a moment in the order of a date, then of ids, newest first; null: all. */
export const olderThan = (field: string, before: Moment | null | undefined): object =>
  before ? { $or: [{ [field]: { $lt: before.at } }, { [field]: before.at, _id: { $lt: before.id } }] } : {};

/** A filter by lists: a row has one of the values of each list. A field without a list matches every row. */
export const anyOf = <T extends object>(lists: { readonly [K in keyof T]?: readonly T[K][] }) =>
  Object.fromEntries(
    Object.entries(lists).flatMap(([field, values]) => (values ? [[field, { $in: values }]] : [])),
  ) as { [K in keyof T]?: { $in: T[K][] } };

/** A regular expression that matches only this text. */
export const escapedPattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The earliest date of the matching rows in a field; null without any. */
export async function findEarliest<Field extends string, Row extends { [F in Field]?: Date | null }>(
  rows: Collection<Row>,
  field: Field,
  filter: Filter<Row>,
  options: { hint?: string } = {},
): Promise<Date | null> {
  const row = await rows.findOne(filter, { projection: { [field]: 1 }, sort: { [field]: 1 }, ...options });
  return row?.[field] ?? null;
}

const DUPLICATE_KEY = 11000;

export const isDuplicate = (error: unknown): boolean =>
  error instanceof mongoose.mongo.MongoServerError && error.code === DUPLICATE_KEY;

/** For `catch`: a duplicate key means that another writer was faster. @throws WriteConflict, or any other error as it is */
export const conflictIfDuplicate =
  (detail: string) =>
  (error: unknown): never => {
    throw isDuplicate(error) ? new WriteConflict(detail, { cause: error }) : error;
  };

/**
 * Inserts unordered; leaves rows whose `_id` exists unchanged.
 * @returns the ids that existed @throws any other write error
 */
export async function insertMissing<Row extends { _id: string }>(collection: Collection<Row>, rows: readonly Row[]) {
  if (rows.length === 0) return [];
  try {
    await collection.insertMany(rows, { ordered: false });
    return [];
  } catch (error) {
    if (!(error instanceof mongoose.mongo.MongoBulkWriteError)) throw error;
    const faults = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
    const other = faults.find((fault) => fault.code !== DUPLICATE_KEY);
    if (other || faults.length === 0) throw error;
    return faults.flatMap((fault) => rows[fault.index]?._id ?? []);
  }
}

/**
 * Finds the last key of each full range of `size` rows, in the order of the key and strictly after `after`. Each range
 * costs one query, which skips through the index.
 */
export async function findRangeEnds<Row extends mongo.Document>(
  rows: Collection<Row>,
  { filter, key, ...options }: { filter: object; key: string & keyof Row; hint?: string },
  after: string,
  size: number,
): Promise<string[]> {
  const ends: string[] = [];
  for (;;) {
    const later = { ...filter, [key]: { $gt: ends.at(-1) ?? after } };
    const order = { projection: { [key]: 1 }, sort: { [key]: 1 }, skip: size - 1 } as const;
    const end = await rows.findOne(later as never, { ...order, ...options });
    if (!end) return ends;
    ends.push(end[key]);
  }
}

/** Matches the rows of a range: strictly after `after`, up to and with `until`; null: no bound. */
export const bounds = (key: string, after: string | null = null, until: string | null = null): object =>
  after || until ? { [key]: { ...(after && { $gt: after }), ...(until && { $lte: until }) } } : {};
