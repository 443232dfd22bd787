import { afterAll, beforeEach, expect, inject, test } from 'vitest';
import type { Database } from '../../src/mongo/database.ts';
import {
  findPendingMigrations,
  MIGRATIONS,
  type Migration,
  migrate,
  readVersions,
} from '../../src/mongo/migrations.ts';
import { openDatabase } from '../../src/mongo/open-database.ts';
import { anEvent } from '../support/builders.ts';
import { freshDatabaseUri } from '../support/database.ts';

let database: Database;
const opened: Database[] = [];
beforeEach(async () => {
  database = await openDatabase(freshDatabaseUri(inject('mongodbUri')));
  opened.push(database);
});
afterAll(() => Promise.all(opened.map((one) => one.close())));

const LAST = MIGRATIONS.at(-1)?.version ?? 0;

/** Migrations that note their runs. */
function noted(versions: readonly number[]) {
  const runs: number[] = [];
  const migrations = versions.map(
    (version): Migration => ({ version, name: `number ${version}`, run: async () => void runs.push(version) }),
  );
  return { runs, migrations };
}

test('versions ascend by one, so that none is left out or runs twice', () => {
  expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, at) => at + 1));
});

test('each pending migration runs once, in order', async () => {
  const { runs, migrations } = noted([1, 2, 3]);
  await migrate(database, migrations.slice(0, 1));
  await migrate(database, migrations);
  await migrate(database, migrations);
  expect(runs).toEqual([1, 2, 3]);
  expect(await readVersions(database, migrations)).toEqual({ stored: 3, known: 3 });
});

test('a run that was interrupted continues with the migration that failed', async () => {
  const { runs, migrations } = noted([1, 2, 3]);
  const failing = migrations.with(1, { version: 2, name: 'fails', run: () => Promise.reject(new Error('no disk')) });
  await expect(migrate(database, failing)).rejects.toThrow('no disk');
  expect(await findPendingMigrations(database, migrations)).toEqual(migrations.slice(1));
  await migrate(database, migrations);
  expect(runs).toEqual([1, 2, 3]);
});

test('a slower set-up beside a newer one does not lower the version', async () => {
  const { migrations } = noted([1, 2]);
  const slow: Migration = { version: 1, name: 'slow', run: () => migrate(database, migrations) };
  await migrate(database, [slow]);
  expect((await readVersions(database, migrations)).stored).toBe(2);
});

test('the plan names what a set-up would change, and changes nothing', async () => {
  const plan = await database.planSetUp();
  expect(plan).toContain('create the collection events');
  expect(plan).toContain('create the index one_active of registrations');
  expect(plan.at(-1)).toMatch(new RegExp(`^migrate to version ${LAST}: `));
  expect(await database.collectionId('events')).toBeNull();
  await database.setUp();
  expect(await database.planSetUp()).toEqual([]);

  await database.collection('events').dropIndex('due_to_start');
  await database.collection('events').createIndex({ starts_at: 1 }, { name: 'due_to_start' });
  expect(await database.planSetUp()).toEqual(['replace the index due_to_start of events']);
});

test('a database of an earlier version is refused until its migrations have run', async () => {
  await database.setUp();
  await database.collection('events').insertOne({ ...anEvent(), _id: 'uncounted' } as never);
  await database.collection('marks').deleteOne({ _id: 'schema' });
  expect(await database.faults()).toEqual([
    `the database ${database.name} has schema version 0, not ${LAST}: run \`npm run setup\``,
  ]);
  await database.setUp();
  expect(await database.faults()).toEqual([]);
  expect(await database.collection('event_tallies').findOne({})).toMatchObject({ count: 1 });
});

test('an older program refuses the database of a newer one, and its set-up leaves it unchanged', async () => {
  await database.setUp();
  await database.collection('marks').updateOne({ _id: 'schema' }, { $inc: { version: 1 } });
  const why = `the database has schema version ${LAST + 1}, but this program only knows ${LAST}: start the newer program`;
  expect(await database.faults()).toEqual([why]);
  await expect(database.setUp()).rejects.toThrow(why);
  await expect(database.planSetUp()).rejects.toThrow(why);
  expect((await readVersions(database)).stored).toBe(LAST + 1);
});
