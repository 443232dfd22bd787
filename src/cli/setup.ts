import { readConfig } from '../app/config/config.ts';
import { isStarted } from '../app/define-worker.ts';
import { openDatabase } from '../mongo/database.ts';

/** Creates missing collections and indexes, and counts events again. Safe to repeat while the service runs. */
export async function setUp(mongodbUri: string): Promise<void> {
  const database = await openDatabase(mongodbUri, { poolSize: 2 });
  try {
    await database.setUp();
  } finally {
    await database.close();
  }
}

if (isStarted('src/cli/setup')) {
  try {
    await setUp(readConfig(process.env, ['mongo']).mongo.uri);
    process.stdout.write('collections and indexes are up to date\n');
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  }
}
