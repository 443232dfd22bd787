import type mongoose from 'mongoose';
import type { CollectionName } from '../../src/mongo/collections.ts';
import type { Database } from '../../src/mongo/database.ts';

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
  const db = (database.collection('events') as unknown as mongoose.Collection).conn.db;
  if (!db) throw new Error('not connected');
  const scans = {
    ns: { $in: LARGE.map((name) => `${db.databaseName}.${name}`) },
    planSummary: 'COLLSCAN',
    docsExamined: { $gt: 1 },
    // The connections of tests name no process.
    appName: /^schoolbell ./,
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
