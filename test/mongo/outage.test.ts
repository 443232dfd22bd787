import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LocalServer } from '../../src/dev/services/local-server.ts';
import { startMongo } from '../../src/dev/services/services.ts';
import { type Database, openDatabase } from '../../src/mongo/database.ts';
import { type ReplicaSet, startReplicaSet } from '../support/replica-set.ts';

let server: LocalServer;
let servers: ReplicaSet;
let database: Database;
let replicated: Database;
beforeAll(async () => {
  [server, servers] = await Promise.all([startMongo({ own: true }), startReplicaSet()]);
  [database, replicated] = await Promise.all([openDatabase(server.uri), openDatabase(servers.uri)]);
});
afterAll(async () => {
  await Promise.all([database.close(), replicated.close()]);
  await Promise.all([server.stop(), servers.stop()]);
});

/** Waits for longer than a command waits for a primary. */
const failed = (from: Database) =>
  from
    .collection('events')
    .findOne({})
    .catch(() => 'failed');

test('a database without any server is away once commands have waited in vain, and no longer after a restart', async () => {
  const began = performance.now();
  await server.kill();
  const answer = failed(database);
  await expect.poll(database.isAway).toBe(true);
  expect(performance.now() - began).toBeGreaterThan(5_000);
  expect(await answer).toBe('failed');
  await server.restart();
  await expect.poll(database.isAway, { timeout: 5_000 }).toBe(false);
});

test('a query of a server that hangs fails within half a minute', async () => {
  const pid = server.pid ?? 0;
  process.kill(pid, 'SIGSTOP');
  const began = performance.now();
  try {
    expect(await failed(database)).toBe('failed');
    expect(performance.now() - began).toBeLessThan(32_000);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
});

test('a database without a primary is not away, since another may be elected', async () => {
  const primary = await servers.primary();
  const other = servers.members.find((one) => one !== primary);
  await Promise.all([primary.kill(), other?.kill()]);
  for (const until = performance.now() + 8_000; performance.now() < until; ) await failed(replicated);
  expect(replicated.isAway()).toBe(false);
});
