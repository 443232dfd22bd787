import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, inject, test, vi } from 'vitest';
import { audit } from '../../../src/cli/audit.ts';
import { restoreGuardCommand } from '../../../src/cli/restore-guard.ts';
import { startProductProcess } from '../../../src/dev/product-process.ts';
import { findBinary, MONGOD } from '../../../src/dev/services/find-binary.ts';
import { findFreePort, startWatched } from '../../../src/dev/services/local-server.ts';
import { startRedis } from '../../../src/dev/services/services.ts';
import { openDatabase } from '../../../src/mongo/open-database.ts';
import { emptyDatabaseUri, freshDatabaseUri, setUp } from '../../support/database.ts';
import { listen } from '../../support/listen.ts';

/** Why a process would refuse to start on this database. */
async function faultsOf(mongodbUri: string): Promise<string> {
  const database = await openDatabase(mongodbUri);
  try {
    return (await database.faults()).join('\n');
  } finally {
    await database.close();
  }
}

test('a process refuses to start without an index, naming it', async () => {
  const mongodbUri = freshDatabaseUri(inject('mongodbUri'));
  await setUp(mongodbUri);
  const database = await openDatabase(mongodbUri);
  await database.collection('registrations').dropIndex('one_active');
  await database.close();
  expect(await faultsOf(mongodbUri)).toMatch(/registrations lacks the index one_active: run `npm run setup`/);
});

test('a process refuses a database without set-up in one line, which names the command', async () => {
  expect(await faultsOf(freshDatabaseUri(inject('mongodbUri')))).toMatch(
    /^the database sb_\w+ has schema version 0, not \d+: run `npm run setup`$/,
  );
});

const COMMANDS: [string, (uri: string) => Promise<unknown>][] = [
  ['audit', (uri) => audit(uri, false)],
  ['restore-guard accept', (uri) => restoreGuardCommand({ MONGODB_URI: uri, REDIS_URL: inject('redisUrl') }, true)],
];

test.each(COMMANDS)('npm run %s names a database that was never set up, and leaves it so', async (_, command) => {
  const uri = freshDatabaseUri(inject('mongodbUri'));
  await expect(command(uri)).rejects.toThrow(/^the database sb_\w+ was never set up: correct MONGODB_URI, or run/);
  const database = await openDatabase(uri);
  expect(await database.collectionId('marks')).toBeNull();
  await database.close();
});

test.each(COMMANDS)('npm run %s refuses a database that a newer program has migrated', async (_, command) => {
  const uri = freshDatabaseUri(inject('mongodbUri'));
  const database = await openDatabase(uri);
  await database.collection('marks').insertOne({ _id: 'schema', version: 99 } as never);
  await expect(command(uri)).rejects.toThrow(/^the database has schema version 99, but this program only knows \d+: /);
  await database.close();
});

test('a process refuses a Redis that evicts keys', async () => {
  const redis = await startRedis({ own: true, args: ['--maxmemory-policy', 'allkeys-lru', '--maxmemory', '100mb'] });
  const mongodbUri = await emptyDatabaseUri();
  await setUp(mongodbUri);
  try {
    const relay = startProductProcess('relay', { MONGODB_URI: mongodbUri, REDIS_URL: redis.uri });
    expect((await relay.waitForLog('process.refused')).why).toMatch(/noeviction/);
    expect((await relay.exited).code).toBe(1);
  } finally {
    await redis.stop();
  }
});

test.each([
  ['in no folder', join(tmpdir(), 'schoolbell-no-such-folder', 'epoch.json'), /^EPOCH_FILE can’t be written: ENOENT/],
  ['that is a folder', tmpdir(), /^EPOCH_FILE can’t be read: EISDIR/],
])('a worker refuses an EPOCH_FILE %s, which would remember nothing', async (_what, EPOCH_FILE, why) => {
  const mongodbUri = await emptyDatabaseUri();
  await setUp(mongodbUri);
  const relay = startProductProcess('relay', { MONGODB_URI: mongodbUri, REDIS_URL: inject('redisUrl'), EPOCH_FILE });
  expect((await relay.waitForLog('process.refused')).why).toMatch(why);
  expect((await relay.exited).code).toBe(1);
});

test('a standalone MongoDB is refused, since it has no transactions', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'schoolbell-standalone-'));
  const port = await findFreePort();
  const { path } = await findBinary(MONGOD, { log: () => {}, env: process.env });
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

const API = {
  PUBLIC_URL: 'http://127.0.0.1',
  JWT_SECRET: 'a secret of at least thirty-two bytes',
  JWT_ISSUER: 'https://id.test',
  JWT_AUDIENCE: 'schoolbell',
  PORT: '0',
};

test('an API whose port is in use refuses to start, naming the setting', async () => {
  const mongodbUri = await emptyDatabaseUri();
  await setUp(mongodbUri);
  const taken = createServer();
  const api = startProductProcess('api', {
    ...API,
    MONGODB_URI: mongodbUri,
    REDIS_URL: inject('redisUrl'),
    PORT: String(await listen(taken)),
  });
  expect((await api.waitForLog('process.refused')).why).toMatch(
    /^PORT or HOST can’t be used: .*address already in use/,
  );
  expect((await api.exited).code).toBe(1);
  taken.close();
});

test('an API with a domain for answers from calendars needs the secret of the mail server that passes them on', async () => {
  const email = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'a@school.example', REPLY_DOMAIN: 'reply.school.example' };
  const uris = { MONGODB_URI: inject('mongodbUri'), REDIS_URL: inject('redisUrl') };
  const api = startProductProcess('api', { ...API, ...uris, ...email });
  expect((await api.waitForLog('process.refused')).why).toMatch(/^BOUNCE_SECRET is missing: with REPLY_DOMAIN/);
  expect((await api.exited).code).toBe(1);
});

test.each(['api', 'clock'] as const)('%s refuses a FILES_DIR that it can’t create', async (name) => {
  const mongodbUri = await emptyDatabaseUri();
  await setUp(mongodbUri);
  const FILES_DIR = join(fileURLToPath(import.meta.url), 'files');
  const refused = startProductProcess(name, {
    ...API,
    MONGODB_URI: mongodbUri,
    REDIS_URL: inject('redisUrl'),
    FILES_DIR,
  });
  expect((await refused.waitForLog('process.refused')).why).toMatch(/^FILES_DIR can’t be written: ENOTDIR/);
  expect((await refused.exited).code).toBe(1);
});

test('clocks that are more than five seconds apart are refused', async () => {
  const now = performance.now.bind(performance);
  const shifted = vi.spyOn(performance, 'now').mockImplementation(() => now() + 6_000);
  try {
    expect(await faultsOf(freshDatabaseUri(inject('mongodbUri')))).toMatch(/clocks .* apart/);
  } finally {
    shifted.mockRestore();
  }
});
