import { describe, expect, type TestContext, test } from 'vitest';
import { startMongo } from '../../src/dev/services/services.ts';
import type { Database } from '../../src/mongo/database.ts';
import { openDatabase } from '../../src/mongo/open-database.ts';
import { startReplicaSet } from '../support/replica-set.ts';

/** Starts servers of this test alone. */
async function opened<Servers extends { uri: string; stop(): Promise<unknown> }>(
  { onTestFinished }: TestContext,
  starting: Promise<Servers>,
) {
  const servers = await starting;
  const database = await openDatabase(servers.uri);
  onTestFinished(async () => {
    await database.close();
    await servers.stop();
  });
  return { servers, database };
}

/** Waits for longer than a command waits for a primary. */
const failed = (from: Database) =>
  from
    .collection('events')
    .findOne({})
    .catch(() => 'failed');

// They mostly wait.
describe.concurrent('a database', () => {
  test('without any server is away once commands have waited in vain, and no longer after a restart', async (context) => {
    const { servers: server, database } = await opened(context, startMongo({ own: true }));
    const began = performance.now();
    await server.kill();
    const answer = failed(database);
    await expect.poll(database.isAway).toBe(true);
    expect(performance.now() - began).toBeGreaterThan(5_000);
    expect(await answer).toBe('failed');
    await server.restart();
    await expect.poll(database.isAway, { timeout: 5_000 }).toBe(false);
  });

  test('whose server hangs fails a query within half a minute', async (context) => {
    const { servers: server, database } = await opened(context, startMongo({ own: true }));
    const pid = server.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    let began = 0;
    let answer: unknown = null;
    try {
      // On a busy machine the server still answers for a moment.
      while (answer === null) {
        began = performance.now();
        answer = await failed(database);
      }
      expect(answer).toBe('failed');
      expect(performance.now() - began).toBeLessThan(32_000);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  });

  test('without a primary is not away, since another may be elected', async (context) => {
    const { servers, database } = await opened(context, startReplicaSet());
    const primary = await servers.primary();
    const other = servers.members.find((one) => one !== primary);
    await Promise.all([primary.kill(), other?.kill()]);
    for (const until = performance.now() + 8_000; performance.now() < until; ) await failed(database);
    expect(database.isAway()).toBe(false);
  });
});
