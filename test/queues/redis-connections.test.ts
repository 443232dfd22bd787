import { EventEmitter } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBinary, REDIS } from '../../src/dev/services/find-binary.ts';
import { findFreePort, type LocalServer, startWatched } from '../../src/dev/services/local-server.ts';
import { startRedis } from '../../src/dev/services/services.ts';
import { waitUntilReady } from '../../src/queues/connection.ts';
import { publisher } from '../../src/queues/publisher.ts';
import { makeCertificates } from '../support/certificates.ts';
import { listen } from '../support/listen.ts';

/** Twice the time that one try to connect may take. */
const WITHIN_MS = 4_000;

/** Why a process would not start with this REDIS_URL; `publishes` if it can also add a job. */
async function outcome(url: string): Promise<string> {
  const queues = publisher({ url, prefix: 'schoolbell-test' });
  try {
    const faults = await queues.faults(WITHIN_MS);
    if (faults.length > 0) return faults.join('; ');
    await queues.factQueue.publish([{ id: '0123', type: 'event.published', tenant_id: 't', urgent: false }]);
    return (await queues.factQueue.countWaiting('bulk')) > 0 ? 'publishes' : 'lost';
  } finally {
    await queues.close();
  }
}

describe('a connection to Redis', () => {
  let open: LocalServer;
  let locked: LocalServer;
  let admin: Redis;
  const certificates = makeCertificates();
  // The valkey of the tests is built without TLS, so a proxy takes it off in front of the real server.
  const pem = readFileSync(certificates.server);
  const proxy = createServer({ key: pem, cert: pem }, (socket) => {
    const inner = connect(locked.port, '127.0.0.1');
    socket.pipe(inner).pipe(socket);
    for (const side of [socket, inner]) side.on('error', () => {});
  });

  beforeAll(async () => {
    [open, locked] = await Promise.all([startRedis({ own: true }), startRedis({ own: true })]);
    admin = new Redis(locked.uri);
    await admin.call('ACL', 'SETUSER', 'bell', 'on', '>pa:ss@word', '~schoolbell-*', '&*', '+@all', '-@admin');
    await admin.call('ACL', 'SETUSER', 'poor', 'on', '>poor', '~*', '+ping', '+hello', '+client', '+select');
    await admin.call('ACL', 'SETUSER', 'other', 'on', '>other', '~*', '&*', '+@all');
    await admin.auth('other', 'other');
    await admin.call('CONFIG', 'SET', 'requirepass', 'secret');
    await listen(proxy);
  });
  afterAll(async () => {
    admin.disconnect();
    proxy.close();
    certificates.remove();
    await Promise.all([open.stop(), locked.stop()]);
  });
  const tlsPort = () => (proxy.address() as AddressInfo).port;

  it.each([
    ['a password', () => `redis://:secret@127.0.0.1:${locked.port}`],
    ['a user of the ACL and another database', () => `redis://bell:pa%3Ass%40word@127.0.0.1:${locked.port}/1`],
    [
      'TLS with a CA of its own',
      () => `rediss://bell:pa%3Ass%40word@127.0.0.1:${tlsPort()}?tlsCAFile=${certificates.ca}`,
    ],
  ])('works with %s', async (_what, url) => {
    expect(await outcome(url())).toBe('publishes');
  });

  it('names the file of a CA that cannot be read', () => {
    expect(() => publisher({ url: 'rediss://h?tlsCAFile=/no/ca.pem', prefix: 'x' })).toThrow(
      'REDIS_URL: the file /no/ca.pem cannot be read',
    );
  });

  // They mostly wait for Redis.
  it.concurrent.each([
    ['Redis refuses the user or the password', () => `redis://:wrong@127.0.0.1:${locked.port}`],
    ['Redis refuses the user or the password', () => `redis://bell:wrong@127.0.0.1:${locked.port}`],
    ['Redis asks for a password, and the address has none', () => `redis://127.0.0.1:${locked.port}`],
    ['the user lacks rights', () => `redis://poor:poor@127.0.0.1:${locked.port}`],
    ['the certificate is not trusted: name its CA in tlsCAFile', () => `rediss://:secret@127.0.0.1:${tlsPort()}`],
    ['the host does not answer', () => `rediss://127.0.0.1:${open.port}`],
    ['the host no-such-host.invalid is unknown', () => 'redis://no-such-host.invalid'],
    ['nothing listens at 127.0.0.1:9', () => 'redis://127.0.0.1:9'],
    ['the server is not a node of a cluster', () => `redis://127.0.0.1:${open.port}?cluster=true`],
    ['no sentinel answers', () => 'redis://127.0.0.1:9?sentinel=bell'],
    ['the server has no database with this number', () => `redis://127.0.0.1:${open.port}/99`],
    ['the server is not a sentinel', () => `redis://127.0.0.1:${open.port}?sentinel=bell`],
  ])('that fails says: %s', async (why, url) => {
    expect(await outcome(url())).toContain(`REDIS_URL: ${why}`);
  });

  // A machine without a network has no other address.
  const outside = Object.values(networkInterfaces())
    .flatMap((some = []) => some)
    .find(({ internal, family }) => !internal && family === 'IPv4');
  it.runIf(outside)('that fails says that a server in protected mode may take none from other machines', async () => {
    const guarded = await startRedis({ own: true, args: ['--bind', '* -::*', '--protected-mode', 'yes'] });
    const why = await outcome(`redis://${outside?.address}:${guarded.port}`);
    await guarded.stop();
    expect(why).toContain('REDIS_URL: the server closed the connection: it may take none from other machines');
  });

  it.concurrent('finds the primary by sentinels, and says if they do not know its name', async ({ expect }) => {
    const { path } = await findBinary(REDIS, { log: () => {}, env: process.env });
    const directory = mkdtempSync(join(tmpdir(), 'schoolbell-sentinel-'));
    const port = await findFreePort();
    const lines = [
      `port ${port}`,
      'bind 127.0.0.1',
      `dir ${directory}`,
      `sentinel monitor bell 127.0.0.1 ${open.port} 1`,
    ];
    writeFileSync(join(directory, 'sentinel.conf'), `${lines.join('\n')}\n`);
    const args = [join(directory, 'sentinel.conf'), '--sentinel'];
    const sentinel = startWatched({ command: path, args, directory, outputFile: join(directory, 'output.log') });
    try {
      const address = `redis://127.0.0.1:9,127.0.0.1:${port}?sentinel`;
      await expect.poll(() => outcome(`${address}=bell`)).toBe('publishes');
      expect(await outcome(`${address}=other`)).toBe('REDIS_URL: the sentinels do not know this name');
    } finally {
      await sentinel.end('SIGTERM');
      rmSync(directory, { recursive: true, force: true });
    }
  });
});

it('has one listener for all questions that wait for a connection, in each outage', async () => {
  const redis = Object.assign(new EventEmitter(), { status: 'reconnecting' });
  const ask = () => waitUntilReady(redis as unknown as Redis);
  for (const _outage of [1, 2]) {
    redis.status = 'reconnecting';
    const questions = Array.from({ length: 20 }, ask);
    expect(redis.listenerCount('ready')).toBe(1);
    redis.status = 'ready';
    redis.emit('ready');
    await Promise.all(questions);
  }
});
