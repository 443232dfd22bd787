import { Redis } from 'ioredis';
import { afterAll, expect, test } from 'vitest';
import { startMongo, startRedis } from '../../../src/dev/services/services.ts';
import { startSystem } from '../../../src/dev/system.ts';

const [mongo, redis] = await Promise.all([startMongo({ own: true }), startRedis({ own: true })]);
const start = ['api', 'email', 'webhooks'] as const;
const system = await startSystem({ mongodbUri: mongo.uri, redisUrl: redis.uri, start, metrics: true });
afterAll(async () => {
  await system.stop();
  await Promise.all([mongo.stop(), redis.stop()]);
});

type Process = (typeof system.processes)[number];

const logged = ({ log }: Process, name: string) =>
  log.filter(({ msg, server }) => msg.startsWith('connection.') && server === name);

const health = async ({ metricsPort }: Process) => {
  const answer = await fetch(`http://127.0.0.1:${metricsPort}/health/ready`);
  const { status, details } = (await answer.json()) as { status: string; details?: { redis?: string } };
  return { status, redis: details?.redis };
};

const queueErrors = () => system.processes.flatMap(({ log }) => log.filter(({ msg }) => msg === 'queue.error'));

const refusedScripts = async (admin: Redis) =>
  Number(/cmdstat_evalsha:.*?failed_calls=(\d+)/.exec(await admin.info('commandstats'))?.[1]);

test('a full Redis is logged once when it refuses writes and once when it takes them again, and shown by health', async () => {
  const [api, email] = system.processes.filter(({ name }) => name !== 'webhooks') as [Process, Process];
  const admin = new Redis(redis.uri);
  await admin.config('SET', 'maxmemory', '1mb');
  const why = 'Redis is full and takes no writes';
  await expect.poll(() => health(api)).toEqual({ status: 'ok', redis: why });
  await expect.poll(() => health(email)).toEqual({ status: 'not ready', redis: why });
  // For each priority the worker asks for a job, and looks for one that was left behind.
  await expect.poll(() => refusedScripts(admin)).toBeGreaterThanOrEqual(4);
  await admin.config('SET', 'maxmemory', '0');
  admin.disconnect();
  const events = () => [api, email].map((process) => logged(process, 'redis').map(({ msg, why }) => ({ msg, why })));
  const pair = [{ msg: 'connection.lost', why }, { msg: 'connection.recovered' }];
  await expect.poll(events).toEqual([pair, pair]);
  expect(await health(email)).toEqual({ status: 'ok' });
  expect(queueErrors()).toEqual([]);
});

test.each([
  ['redis', redis],
  ['mongodb', mongo],
] as const)('every process logs once that %s is lost, and once that it is back', async (name, server) => {
  const before = system.processes.map((process) => logged(process, name).length);
  await server.kill();
  const counts = () =>
    system.processes.map((process, at) =>
      logged(process, name)
        .slice(before[at])
        .map(({ msg }) => msg),
    );
  await expect.poll(counts).toEqual(system.processes.map(() => ['connection.lost']));
  await server.restart();
  await expect.poll(counts).toEqual(system.processes.map(() => ['connection.lost', 'connection.recovered']));
  expect(queueErrors()).toEqual([]);
  for (const process of system.processes) expect(logged(process, name).at(-1)?.ms).toBeGreaterThan(0);
});
