import { afterAll, expect, test } from 'vitest';
import { startMongo, startRedis } from '../../../src/dev/services/services.ts';
import { startSystem } from '../../../src/dev/system.ts';

const [mongo, redis] = await Promise.all([startMongo({ own: true }), startRedis({ own: true })]);
const system = await startSystem({ mongodbUri: mongo.uri, redisUrl: redis.uri, start: ['api', 'email', 'webhooks'] });
afterAll(async () => {
  await system.stop();
  await Promise.all([mongo.stop(), redis.stop()]);
});

test.each([
  ['redis', redis],
  ['mongodb', mongo],
] as const)('every process logs once that %s is lost, and once that it is back', async (name, server) => {
  await server.kill();
  const logged = (process: (typeof system.processes)[number]) =>
    process.log.filter(({ msg, server: of }) => msg.startsWith('connection.') && of === name);
  const counts = () => system.processes.map((process) => logged(process).map(({ msg }) => msg));
  await expect.poll(counts).toEqual(system.processes.map(() => ['connection.lost']));
  await server.restart();
  await expect.poll(counts).toEqual(system.processes.map(() => ['connection.lost', 'connection.recovered']));
  for (const process of system.processes) expect(logged(process).at(-1)?.ms).toBeGreaterThan(0);
});
