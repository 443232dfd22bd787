import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, test, vi } from 'vitest';
import { setUp } from '../../src/cli/setup.ts';
import { startProductProcess } from '../../src/dev/product-process.ts';
import { findMongod } from '../../src/dev/services/find-binary.ts';
import { findFreePort, startWatched } from '../../src/dev/services/local-server.ts';
import { startRedis } from '../../src/dev/services/services.ts';
import { openDatabase } from '../../src/mongo/database.ts';
import { freshDatabaseUri } from '../support/database.ts';

/** Starts a relay with these settings. @returns the reason in its log why it refused */
async function refusal(env: Record<string, string>): Promise<string> {
  const relay = startProductProcess('relay', env);
  const { why } = await relay.waitForLog('process.refused');
  expect((await relay.exited).code).toBe(1);
  return String(why);
}

const environment = async () => {
  const mongodbUri = freshDatabaseUri(inject('mongodbUri'));
  await setUp(mongodbUri);
  return { MONGODB_URI: mongodbUri, REDIS_URL: inject('redisUrl') };
};

test('a process refuses to start without an index, naming it', async () => {
  const env = await environment();
  const database = await openDatabase(env.MONGODB_URI);
  await database.collection('registrations').dropIndex('one_active');
  await database.close();
  expect(await refusal(env)).toMatch(/registrations lacks the index one_active: run `npm run setup`/);
});

test('a process refuses a Redis that evicts keys', async () => {
  const redis = await startRedis({ own: true, args: ['--maxmemory-policy', 'allkeys-lru', '--maxmemory', '100mb'] });
  try {
    expect(await refusal({ ...(await environment()), REDIS_URL: redis.uri })).toMatch(/noeviction/);
  } finally {
    await redis.stop();
  }
});

/** Why a process would refuse to start on this database. */
async function faultsOf(mongodbUri: string): Promise<string> {
  const database = await openDatabase(mongodbUri);
  try {
    return (await database.faults()).join('\n');
  } finally {
    await database.close();
  }
}

test('a standalone MongoDB is refused, since it has no transactions', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'schoolbell-standalone-'));
  const port = await findFreePort();
  const { path } = await findMongod({ log: () => {}, env: process.env });
  const standalone = startWatched({
    command: path,
    args: ['--dbpath', directory, '--port', String(port), '--bind_ip', '127.0.0.1', '--quiet'],
    directory,
    outputFile: join(directory, 'output.log'),
  });
  try {
    expect(await faultsOf(`mongodb://127.0.0.1:${port}/boot`)).toMatch(/replica set/);
  } finally {
    await standalone.end('SIGTERM');
    rmSync(directory, { recursive: true, force: true });
  }
});

test('clocks that are more than five seconds apart are refused', async () => {
  const { now } = Date;
  const shifted = vi.spyOn(Date, 'now').mockImplementation(() => now() + 6_000);
  try {
    expect(await faultsOf(freshDatabaseUri(inject('mongodbUri')))).toMatch(/clocks .* apart/);
  } finally {
    shifted.mockRestore();
  }
});
