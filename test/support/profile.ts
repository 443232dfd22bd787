import type mongoose from 'mongoose';
import type { Database } from '../../src/mongo/database.ts';
import { nativeDb } from './database.ts';

/** Matches operations of the product's processes; the connections of tests name no process. */
export const OF_PRODUCT = { appName: /^schoolbell ./ };

/** The operations that match the filter while `work` runs, in order, as MongoDB executed them. */
export async function profile(
  database: Database,
  filter: object,
  work: () => Promise<unknown>,
): Promise<mongoose.mongo.Document[]> {
  const db = nativeDb(database);
  await db.command({ profile: 0 });
  await db.dropCollection('system.profile').catch(() => {});
  // Level 2 would ignore the filter.
  await db.command({ profile: 1, filter });
  await work();
  await db.command({ profile: 0 });
  return db.collection('system.profile').find().sort({ ts: 1 }).toArray();
}
