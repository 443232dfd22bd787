import mongoose, { type mongo } from 'mongoose';
import type { Scope } from '../people/caller.ts';
import type { Collection } from './collection.ts';

/**
 * The conditions of partial indexes (collections.ts). MongoDB uses such an index only if the query names the condition too,
 * even if no other value could match; with a hint alone it reads the whole index.
 */
export const IS_STRING = { $type: 'string' } as const;
export const IS_DATE = { $type: 'date' } as const;

/** The row (`_id`) of a record (`id`). */
export type Row<T extends { id: string }> = Omit<T, 'id'> & { _id: string };

export function rowOf<T extends { id: string }>({ id, ...rest }: T): Row<T> {
  return { _id: id, ...rest } as Row<T>;
}

export function recordOf<T extends { id: string }>({ _id, ...rest }: Row<T>): T {
  return { id: _id, ...rest } as unknown as T;
}

/** A filter for instants from `from` until before `to`; without bounds it matches everything. */
export const during = (field: string, from?: Date, to?: Date): object =>
  from || to ? { [field]: { ...(from ? { $gte: from } : {}), ...(to ? { $lt: to } : {}) } } : {};

/** A filter by lists: a row has one of the values of each list. A field without a list matches every row. */
export const anyOf = <T extends object>(lists: { readonly [K in keyof T]?: readonly T[K][] | undefined }) =>
  Object.fromEntries(
    Object.entries(lists).flatMap(([field, values]) => (values ? [[field, { $in: values }]] : [])),
  ) as { [K in keyof T]?: { $in: T[K][] } };

/** The row id derived from tenant, school and person, so that upserts filter by `_id`. */
export const personId = ({ tenant_id, school_id }: Scope, user_id: string): string =>
  JSON.stringify([tenant_id, school_id, user_id]);

export const personIds = (scope: Scope, user_ids: readonly string[]): string[] =>
  user_ids.map((user_id) => personId(scope, user_id));

const DUPLICATE_KEY = 11000;

export const isDuplicate = (error: unknown): boolean =>
  error instanceof mongoose.mongo.MongoServerError && error.code === DUPLICATE_KEY;

/**
 * Inserts unordered; leaves rows whose `_id` exists unchanged.
 * @returns the ids that existed @throws any other write error
 */
export async function insertMissing<Row extends { _id: string }>(
  collection: Collection<Row>,
  rows: readonly Row[],
): Promise<string[]> {
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
export async function rangeEnds<Row extends mongo.Document>(
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
    ends.push(end[key] as string);
  }
}

/** Matches the rows of a range: strictly after `after`, up to and with `until`; null: no bound. */
export const within = (key: string, after: string | null, until: string | null): object => ({
  ...(after === null && until === null
    ? {}
    : { [key]: { ...(after === null ? {} : { $gt: after }), ...(until === null ? {} : { $lte: until }) } }),
});
