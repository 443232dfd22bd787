import { expect, onTestFinished } from 'vitest';
import { restoreGuardCommand } from '../../src/cli/restore-guard.ts';
import type { LocalServer } from '../../src/dev/services/local-server.ts';
import { startMongo } from '../../src/dev/services/services.ts';
import { COLLECTION_NAMES, type CollectionName } from '../../src/mongo/collections.ts';
import { restoreGuardStore } from '../../src/mongo/marks.ts';
import { contactsOf, eventually, publishEvent, putPeople, startWorld, type World } from '../support/world.ts';
import { row } from './harness/row.ts';

const PEOPLE = 100;
const WORKERS = ['relay', 'fan-out', 'email'] as const;

type Backup = Map<CollectionName, object[]>;

async function backUp({ database }: World): Promise<Backup> {
  return new Map(
    await Promise.all(
      COLLECTION_NAMES.map(async (name) => [name, await database.collection(name).find({}).toArray()] as const),
    ),
  );
}

/** Replaces each collection by that of a backup, the largest first and the guard's own last, as mongorestore does. */
async function restore({ database }: World, backup: Backup): Promise<void> {
  const bySize = [...backup].sort(([, a], [, b]) => b.length - a.length);
  for (const [name, rows] of bySize) {
    await database.collection(name).drop();
    if (rows.length > 0) await database.collection(name).insertMany(rows as never);
  }
}

/** A world in which a hundred e-mails were sent after a backup was made; SWEEP_MS is a minute, as in production. */
async function sentSinceBackup(mongo: LocalServer): Promise<{ world: World; backup: Backup }> {
  const world = await startWorld({ mongodbUri: mongo.uri, start: ['api'], env: { SWEEP_MS: '60000' } });
  onTestFinished(async () => void (await world.end()));
  await putPeople(world, contactsOf(PEOPLE));
  // Workers have run here, so the database has an age.
  await restoreGuardStore(world.database).beat(null);
  await publishEvent(world);
  const backup = await backUp(world);
  await Promise.all(WORKERS.map((name) => world.start(name)));
  await eventually('all mails', () => world.smtp.count === PEOPLE);
  await eventually(
    'all results',
    async () => (await world.deliveries({ channel: 'email', status: 'sent' })).length === PEOPLE,
  );
  return { world, backup };
}

/** Expects that nothing of the backup is sent before an operator accepts it, and everything afterwards. */
async function expectHalted(world: World): Promise<void> {
  await world.database.setUp();
  // The relay notices first, since all facts of the backup are unpublished.
  const relay = world.processes.find(({ name }) => name === 'relay');
  await relay?.waitForLog('restore_guard.halted');
  expect(world.smtp.count).toBe(PEOPLE);
  expect(await restoreGuardCommand(world.env, true)).toMatch(/^accepted/);
  await eventually('the mails of the accepted backup', () => world.smtp.count === 2 * PEOPLE);
}

row(
  'restore-while-running',
  'a backup restored into the running server sends nothing before it is accepted',
  async () => {
    const mongo = await startMongo({ own: true });
    onTestFinished(async () => void (await mongo.stop()));
    const { world, backup } = await sentSinceBackup(mongo);
    await restore(world, backup);
    await expectHalted(world);
  },
);

row(
  'restore-while-stopped',
  'a backup restored while MongoDB was stopped sends nothing before it is accepted',
  async () => {
    const mongo = await startMongo({ own: true });
    onTestFinished(async () => void (await mongo.stop()));
    const { world, backup } = await sentSinceBackup(mongo);
    await mongo.restart({ empty: true });
    await restore(world, backup);
    await expectHalted(world);
  },
);
