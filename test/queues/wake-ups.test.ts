import { Redis } from 'ioredis';
import { afterAll, expect, test, vi } from 'vitest';
import { startRedis } from '../../src/dev/services/services.ts';
import { publisher, remoteWakeUps } from '../../src/queues/publisher.ts';

const redis = await startRedis({ own: true });
const admin = new Redis(redis.uri);
const closing: { close(): Promise<void> }[] = [];
afterAll(async () => {
  await Promise.all(closing.map((part) => part.close()));
  admin.disconnect();
  await redis.stop();
});

/** A process of the installation with this prefix that has subscribed. @returns how often it was woken since */
async function subscribed(prefix: string) {
  const wakeUps = remoteWakeUps({ url: redis.uri, prefix });
  closing.push(wakeUps);
  const woken = vi.fn();
  wakeUps.subscribe(woken);
  await vi.waitUntil(async () => (await subscribers(prefix)) > 0 && woken.mock.calls.length > 0);
  woken.mockClear();
  return woken;
}

async function publishing(prefix: string) {
  const queues = publisher({ url: redis.uri, prefix });
  closing.push(queues);
  await queues.faults(); // the connection is there
  return queues;
}

const subscribers = async (prefix: string) => Number((await admin.pubsub('NUMSUB', `${prefix}:work`))[1]);

test('a wake-up reaches every process of its installation, and none of another one', async () => {
  const [first, second, other] = [await subscribed('a'), await subscribed('a'), await subscribed('b')];
  await (await publishing('a')).wake();
  await (await publishing('b')).wake();
  await vi.waitUntil(() => other.mock.calls.length > 0);
  expect([first, second, other].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1]);
});

test('a process whose connection was lost is woken when it is back, since it may have missed something', async () => {
  const woken = await subscribed('c');
  await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
  await vi.waitUntil(() => woken.mock.calls.length > 0, { timeout: 5_000 });
  await vi.waitUntil(async () => (await subscribers('c')) > 0);
  woken.mockClear();
  await (await publishing('c')).wake();
  await vi.waitUntil(() => woken.mock.calls.length > 0);
});

test('a process that can’t reach Redis continues without wake-ups', async () => {
  const queues = publisher({ url: 'redis://127.0.0.1:1', prefix: 'd' });
  closing.push(queues);
  await expect(queues.wake()).resolves.toBeUndefined();
});
