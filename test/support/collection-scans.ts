import type mongoose from 'mongoose';
import type { CollectionName } from '../../src/mongo/collections.ts';
import type { Database } from '../../src/mongo/database.ts';
import { nativeDb } from './database.ts';
import { OF_PRODUCT } from './profile.ts';

/** The collections that grow with people and time; the product must find rows in them by an index. */
const LARGE: readonly CollectionName[] = [
  'acknowledgements',
  'contacts',
  'deliveries',
  'events',
  'facts',
  'registrations',
  'reminders',
];

/**
 * Watches how MongoDB runs the queries of the product's processes.
 * @returns a function that lists those that have read a whole large collection
 */
export async function watchScans(database: Database): Promise<() => Promise<string[]>> {
  const db = nativeDb(database);
  const scans = {
    ns: { $in: LARGE.map((name) => `${db.databaseName}.${name}`) },
    planSummary: 'COLLSCAN',
    docsExamined: { $gt: 1 },
    ...OF_PRODUCT,
  };
  await db.command({ profile: 1, filter: scans });
  return async () => {
    const found = await db.collection('system.profile').find(scans).toArray();
    return found
      .filter(isOfCollection)
      .map(({ appName, ns, command }) => `${appName}: ${ns} ${JSON.stringify(command)}`);
  };
}

/** A change stream reads the oplog, although its entry names a collection. */
const isOfCollection = ({ command, originatingCommand = command }: mongoose.mongo.Document): boolean =>
  !originatingCommand.pipeline?.some((stage: object) => '$changeStream' in stage);
