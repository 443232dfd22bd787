import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, watch } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Redis } from 'ioredis';
import mongoose from 'mongoose';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findBinary, MONGOD, REDIS } from '../../../src/dev/services/find-binary.ts';
import { type LocalServices, startMongo, startServices } from '../../../src/dev/services/services.ts';
import { bundleScript } from '../../support/bundle-script.ts';

const { MONGODB_URI: _uri, REDIS_URL: _url, ...env } = process.env;

describe('a pair of services', () => {
  let first: LocalServices;
  let second: LocalServices;
  const lines: string[] = [];

  // Searching may have to download once; from then on the cache answers.
  beforeAll(async () => {
    await Promise.all([findBinary(MONGOD, { log: () => {}, env }), findBinary(REDIS, { log: () => {}, env })]);
    [first, second] = await Promise.all([
      startServices({ env, log: (line) => lines.push(line) }),
      startServices({ env }),
    ]);
  }, 300_000);
  afterAll(() => Promise.all([first.stop(), second.stop()]));

  test('downloads nothing on a second start, and says what it does', () => {
    expect(lines.filter((line) => line.includes('trying'))).toEqual([]);
    expect(lines).toContainEqual(expect.stringMatching(/^MongoDB: using .*version \d/));
    expect(lines).toContainEqual(expect.stringMatching(/^Redis: using .*version \d/));
    expect(lines).toContain(`MongoDB: started on port ${first.mongo.port}`);
  });

  test('keeps acknowledged data when it is killed and comes back on the same port', async () => {
    await withMongo(second.mongo.uri, (client) =>
      client
        .db()
        .collection('notes')
        .insertOne({ text: 'journaled' }, { writeConcern: { w: 'majority', j: true } }),
    );
    await withRedis(second.redis.uri, (redis) => redis.set('kept', 'yes'));
    const [mongoPid, redisPid] = [second.mongo.pid, second.redis.pid];

    await Promise.all([second.mongo.kill(), second.redis.restart()]);
    await second.mongo.restart();

    expect(second.mongo.pid).not.toBe(mongoPid);
    expect(second.redis.pid).not.toBe(redisPid);
    const found = await withMongo(second.mongo.uri, (client) => client.db().collection('notes').countDocuments());
    expect(found).toBe(1);
    expect(await withRedis(second.redis.uri, (redis) => redis.get('kept'))).toBe('yes');
  });
});

describe('services that the environment names', () => {
  const given = { MONGODB_URI: 'mongodb://db.example:27018/school?replicaSet=rs0', REDIS_URL: 'redis://cache.example' };

  test('are used as they are and never ended', async () => {
    const services = await startServices({ env: given });
    expect(services.mongo.uri).toBe(given.MONGODB_URI);
    expect(services.redis.uri).toBe(given.REDIS_URL);
    await services.stop();
    await expect(services.mongo.kill()).rejects.toThrow("isn't ours");
    await expect(services.redis.restart()).rejects.toThrow("isn't ours");
  });
});

test('a server that can not start says what it printed', async () => {
  await expect(startMongo({ env, own: true, args: ['--nonsense'] })).rejects.toThrow(/nonsense/);
});

describe('a parent process', () => {
  const parents: ChildProcess[] = [];
  let script: string;
  beforeAll(async () => {
    script = await bundleScript(new URL('parent-process.ts', import.meta.url));
  });
  // A failed expectation must not leave a parent behind, it would keep its services for ever.
  afterEach(() => {
    for (const parent of parents.splice(0)) parent.kill('SIGKILL');
  });

  function startParent(extra: NodeJS.ProcessEnv = {}): ChildProcess {
    const parent = spawn(process.execPath, [script], {
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...env, ...extra },
    });
    parents.push(parent);
    return parent;
  }

  test('takes its services and their files with it when it is killed with -9', async () => {
    const temporary = mkdtempSync(join(tmpdir(), 'schoolbell-test-'));
    try {
      const parent = startParent({ TMPDIR: temporary });
      const { ports } = await readLines(parent).next();
      const ended = (ports as number[]).map(async (port) => {
        const socket = connect(port, '127.0.0.1');
        await once(socket, 'connect');
        return async () => {
          if (!socket.closed) await once(socket, 'close');
        };
      });
      const closed = await Promise.all(ended);
      expect(readdirSync(temporary).filter((name) => name.startsWith('schoolbell-'))).toHaveLength(2);

      parent.kill('SIGKILL');

      await Promise.all(closed.map((wait) => wait()));
      await untilGone(temporary, /^schoolbell-/);
    } finally {
      rmSync(temporary, { recursive: true, force: true });
    }
  });

  test('finds its services still serving when Ctrl-C has reached its whole group', async () => {
    const parent = startParent();
    const lines = readLines(parent);
    const { pids } = await lines.next();
    // Each leads a process group of its own. Merely being alive right after the signal would prove nothing.
    for (const pid of pids) expect(() => process.kill(-pid, 0)).not.toThrow();
    process.kill(-(parent.pid as number), 'SIGINT');
    expect(await lines.next()).toBe('still serving');
    if (parent.exitCode === null) await once(parent, 'exit');
    expect(parent.exitCode).toBe(0);
  });
});

function readLines(child: ChildProcess) {
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  return {
    // biome-ignore lint/suspicious/noExplicitAny: whatever the other process tells
    async next(): Promise<any> {
      const { value, done } = await lines.next();
      if (done) throw new Error('the process ended without a word');
      return JSON.parse(value);
    },
  };
}

/** Resolves when nothing in the directory has such a name any more. */
async function untilGone(directory: string, name: RegExp): Promise<void> {
  const watcher = watch(directory);
  try {
    while (existsSync(directory) && readdirSync(directory).some((entry) => name.test(entry))) {
      await once(watcher, 'change');
    }
  } finally {
    watcher.close();
  }
}

async function withMongo<T>(uri: string, work: (client: mongoose.mongo.MongoClient) => Promise<T>): Promise<T> {
  const client = new mongoose.mongo.MongoClient(uri);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

async function withRedis<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}
