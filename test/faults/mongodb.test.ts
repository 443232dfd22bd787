import { cpSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from 'vitest';
import type { LocalServer } from '../../src/dev/services/local-server.ts';
import { startMongo } from '../../src/dev/services/services.ts';
import { freshDatabaseUri } from '../support/database.ts';
import { type ReplicaSet, startReplicaSet } from '../support/replica-set.ts';
import { type OwnWorld, startWorld } from '../support/world.ts';
import { meanwhile } from './harness/crew.ts';
import { expectPromises, waitForRest } from './harness/expect-promises.ts';
import { resettingProxy } from './harness/resetting-proxy.ts';
import { type Row, row } from './harness/row.ts';
import { busyHour, openSchool } from './harness/school.ts';

let set: ReplicaSet;
let world: OwnWorld;
beforeAll(async () => {
  set = await startReplicaSet();
  // Mails are so slow that some are being sent whenever the database fails. No worker dies here, so no lease may run out
  // because the machine is slow.
  world = await startWorld({ mongodbUri: freshDatabaseUri(set.uri), env: { EMAIL_RATE: '60', LEASE_MS: '20000' } });
}, 180_000);
afterAll(async () => {
  await world?.end();
  await set?.stop();
});

/** The database fails repeatedly while people register and messages are sent. No worker dies, so no message may be repeated. */
async function survive({ random, size, note }: Row, times: number, fail: () => Promise<unknown>): Promise<void> {
  const school = await openSchool(world, { people: size(1_000, 300), push: 20, random });
  await meanwhile(busyHour(school, random, size(300, 60)), times, fail, () => random.int(0, 2_000));
  note({ times });
  await expectPromises({ note }, world, school);
}

row('mongo-step-down', 'repeated step-downs of MongoDB lose nothing acknowledged and repeat no message', (it) =>
  survive(it, it.size(20, 2), () => set.stepDown()),
);

row('mongo-kill-primary', 'repeated kills of the primary lose nothing acknowledged and repeat no message', (it) =>
  survive(it, it.size(20, 2), async () => (await set.endPrimary('SIGKILL')).restart()),
);

row('mongo-stop-primary', 'a stop and start of the primary loses nothing acknowledged and repeats no message', (it) =>
  survive(it, it.size(10, 2), async () => (await set.endPrimary('SIGTERM')).restart()),
);

row('mongo-restart-all', 'a restart of all three members loses nothing acknowledged and repeats no message', (it) =>
  survive(it, it.size(10, 2), () => set.restartAll(it.random.next() < 0.5 ? 'SIGKILL' : 'SIGTERM')),
);

/** A world with a MongoDB of one member of its own. */
async function withOwnMongo(
  options: { through?: (port: number) => Promise<number>; start?: Parameters<typeof startWorld>[0] },
  work: (own: OwnWorld, mongo: LocalServer) => Promise<void>,
): Promise<void> {
  const mongo = await startMongo({ own: true, cacheSizeGB: 0.25 });
  const port = (await options.through?.(mongo.port)) ?? mongo.port;
  const mongodbUri = `mongodb://127.0.0.1:${port}/faults?directConnection=true`;
  const own = await startWorld({ ...options.start, mongodbUri }).catch(async (error) => {
    await mongo.stop();
    throw error;
  });
  try {
    await work(own, mongo);
  } finally {
    await own.end();
    await mongo.stop();
  }
}

row(
  'mongo-reset-at-commit',
  'connections reset when MongoDB answers a commit lose nothing acknowledged and do nothing twice',
  async ({ random, size, note }) => {
    const proxy = await resettingProxy();
    try {
      await withOwnMongo({ through: proxy.listen }, async (own) => {
        const school = await openSchool(own, { people: size(2_000, 200), random });
        proxy.resetAt(() => random.next() < 0.2);
        await busyHour(school, random, size(500, 60));
        proxy.resetAt(() => false);
        note({ resets: proxy.resets });
        expect(proxy.resets).toBeGreaterThan(0);
        await expectPromises({ note }, own, school);
      });
    } finally {
      await proxy.close();
    }
  },
);

row(
  'backup-restored',
  'a backup restored under running workers sends nothing until an operator accepts it',
  async ({ random, size, note }) => {
    const people = 400;
    // As in production, so that the next regular check of the database's age is far away.
    const start = { start: ['api', 'relay', 'fan-out', 'clock'] as const, env: { SWEEP_MS: '15000' } };
    await withOwnMongo({ start }, async (own, mongo) => {
      const school = await openSchool(own, { people, random });
      await school.announce();
      const waiting = { channel: 'email', status: 'waiting' };
      while ((await own.deliveries(waiting)).length < people) await delay(100);
      const [data, backup] = [`${mongo.directory}/data`, `${mongo.directory}/backup`];
      await mongo.kill('SIGTERM');
      cpSync(data, backup, { recursive: true });
      await mongo.restart();

      const worker = await own.start('email');
      await waitForRest(own, [school]);
      const sent = own.smtp.count;
      // The age in Redis must be later than the backup.
      await delay(16_000);
      await mongo.kill('SIGTERM');
      rmSync(data, { recursive: true });
      cpSync(backup, data, { recursive: true });
      await mongo.restart();
      await delay(size(60_000, 20_000));
      note({ people, 'sent from the backup': own.smtp.count - sent });
      expect(own.smtp.count - sent).toBe(0);
      await worker.waitForLog('restore_guard.halted');
    });
  },
);
