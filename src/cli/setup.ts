import { readConfig } from '../app/config/config.ts';
import { isStarted } from '../app/define-worker.ts';
import { type Database, openDatabase } from '../mongo/database.ts';

/** Creates missing collections and indexes and runs the pending migrations. Safe to repeat while the service runs. */
export const setUp = (mongodbUri: string): Promise<void> => withDatabase(mongodbUri, (database) => database.setUp());

/** What `setUp` would change, one line each; nothing is changed. */
export const planSetUp = (mongodbUri: string): Promise<string[]> =>
  withDatabase(mongodbUri, (database) => database.planSetUp());

async function withDatabase<T>(mongodbUri: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(mongodbUri, { poolSize: 2 });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** `npm run setup -- [--plan]` */
if (isStarted('src/cli/setup')) {
  const [option] = process.argv.slice(2);
  const isPlan = option === '--plan';
  try {
    if (option !== undefined && !isPlan) throw new Error('usage: npm run setup -- [--plan]');
    const { uri } = readConfig(process.env, ['mongo']).mongo;
    if (!isPlan) await setUp(uri);
    const lines = isPlan ? await planSetUp(uri) : [];
    process.stdout.write(`${lines.join('\n') || 'collections, indexes and migrations are up to date'}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  }
}
