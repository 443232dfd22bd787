import { readConfig } from './config.ts';
import { openDatabase } from './stores/database.ts';
import { normalizeSubscriptions } from './stores/push-subscription-store.ts';
import { isStarted } from './worker.ts';

/** Creates missing collections and indexes, and brings rows of earlier versions up to date. Safe to repeat and to run beside a running service. */
export async function setUp(mongodbUri: string): Promise<void> {
  const database = await openDatabase(mongodbUri, { poolSize: 2 });
  try {
    await database.setUp();
    await normalizeSubscriptions(database);
  } finally {
    await database.close();
  }
}

if (isStarted('src/setup')) {
  try {
    await setUp(readConfig(process.env, ['mongo']).mongo.uri);
    process.stdout.write('collections and indexes are in place\n');
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  }
}
