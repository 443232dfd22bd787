import type { Database } from './database.ts';
import { recountTallies } from './events/event-tallies.ts';

/** A change of stored data that a newer program needs. It may run again after it was interrupted. */
export type Migration = { version: number; name: string; run(database: MigratedDatabase): Promise<void> };
type MigratedDatabase = Pick<Database, 'collection' | 'transact'>;

/** All migrations in their order. Those of a release are never changed or removed. */
export const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: 'count the events of every school for statistics', run: recountTallies },
];

const ROW = 'schema';

/** Reads which version the database has, and which the program knows. */
export async function readVersions({ collection }: Pick<Database, 'collection'>, migrations = MIGRATIONS) {
  const row = await collection('marks').findOne({ _id: ROW });
  return { stored: row?.version ?? 0, known: migrations.at(-1)?.version ?? 0 };
}

/** Why a program must not write to a database of a newer version; null if it may. */
export const newerThanKnown = ({ stored, known }: { stored: number; known: number }): string | null =>
  stored > known
    ? `the database has schema version ${stored}, but this program only knows ${known}: start the newer program`
    : null;

/** The migrations that this database still needs, in their order. */
export async function findPendingMigrations(database: Pick<Database, 'collection'>, migrations = MIGRATIONS) {
  const { stored } = await readVersions(database, migrations);
  return migrations.filter(({ version }) => version > stored);
}

/** Runs the pending migrations and records each, so that an interrupted run continues where it ended. */
export async function migrate(database: MigratedDatabase, migrations = MIGRATIONS): Promise<void> {
  for (const { version, run } of await findPendingMigrations(database, migrations)) {
    await run(database);
    await database.collection('marks').updateOne({ _id: ROW }, { $max: { version } }, { upsert: true });
  }
}
