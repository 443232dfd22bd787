import mongoose from 'mongoose';
import type { Collection } from './collection.ts';

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
