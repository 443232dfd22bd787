import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LocalServer } from '../../src/dev/services/local-server.ts';
import { startRedis } from '../../src/dev/services/services.ts';
import { consumer } from '../../src/queues/consumer.ts';
import type { FactPayload } from '../../src/queues/names.ts';
import { publisher } from '../../src/queues/publisher.ts';
import { listen } from '../support/listen.ts';

let redis: LocalServer;
const sockets = new Set<Socket>();
/** A firewall between the product and Redis. */
const firewall = createServer((client) => {
  const server = connect(redis.port, '127.0.0.1');
  client.pipe(server).pipe(client);
  for (const socket of [client, server]) sockets.add(socket.on('error', () => {}));
});
/** From now on drops all data of the open connections, without closing them. */
const forgetConnections = () => {
  for (const socket of sockets) socket.unpipe().resume();
};

beforeAll(async () => {
  redis = await startRedis({ own: true });
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  firewall.close();
  await redis.stop();
});

it('jobs are added and taken again after a firewall has forgotten the connections to Redis', async () => {
  const settings = { url: `redis://127.0.0.1:${await listen(firewall)}`, prefix: 'schoolbell-forgotten' };
  const taken: string[] = [];
  const events: string[] = [];
  const queues = publisher(settings);
  const running = consumer({
    queue: 'fan-out',
    priority: 'bulk',
    settings,
    concurrency: 1,
    read: (job) => job as FactPayload,
    work: async ({ factId }) => void taken.push(factId),
    log: (event) => events.push(event),
  });
  const publish = (id: string) =>
    queues.factQueue.publish([{ id, type: 'event.published', tenant_id: 't', urgent: false }]).then(
      () => 'published',
      () => 'failed',
    );
  await expect.poll(() => publish('before')).toBe('published');
  await expect.poll(() => taken).toEqual(['before']);

  forgetConnections();
  expect(await publish('lost')).toBe('failed');
  await expect.poll(() => publish('after'), { timeout: 20_000 }).toBe('published');
  await expect.poll(() => taken, { timeout: 20_000 }).toContain('after');
  expect(await running.ready()).toBe('ok');
  expect(events).toEqual([]);
  await running.close();
  await queues.close();
}, 60_000);
