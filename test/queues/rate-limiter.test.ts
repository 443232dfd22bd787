import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { LocalServer } from '../../src/dev/services/local-server.ts';
import { startRedis } from '../../src/dev/services/services.ts';
import { rateLimiter } from '../../src/queues/rate-limiter.ts';

type RateLimiter = ReturnType<typeof rateLimiter>;

let redis: LocalServer;
let prefix = 0;
const opened: RateLimiter[] = [];
beforeAll(async () => {
  redis = await startRedis({});
});
beforeEach(() => {
  prefix += 1;
});
afterAll(async () => {
  await Promise.all(opened.map((one) => one.close()));
  await redis?.stop();
});

async function limiterOf(perSecond: number): Promise<RateLimiter> {
  const settings = { url: redis.uri, prefix: `test-${prefix}` };
  const made = rateLimiter(settings, 'email', perSecond);
  opened.push(made);
  // Wait for the connection: the limiter's commands fail without one.
  await new Promise((resolve) => setTimeout(resolve, 300));
  return made;
}

/** Milliseconds for this many calls, one after another. */
async function took(limiter: RateLimiter, count: number, each = 1): Promise<number> {
  const began = performance.now();
  for (let i = 0; i < count; i++) expect(await limiter.acquire(each, false)).toBe(true);
  return performance.now() - began;
}

test('limits the total rate of two processes', async () => {
  const [one, two] = [await limiterOf(50), await limiterOf(50)];
  await one.acquire(50, false); // the burst
  const [a, b] = await Promise.all([took(one, 25), took(two, 25)]);
  expect(Math.max(a, b)).toBeGreaterThan(850);
});

test('lets urgent messages overtake waiting bulk', async () => {
  const one = await limiterOf(20);
  await one.acquire(20, false); // the burst
  const order: string[] = [];
  const bulk = [1, 2, 3].map((n) => one.acquire(10, false).then(() => order.push(`bulk ${n}`)));
  const urgent = one.acquire(2, true).then(() => order.push('urgent'));
  await Promise.all([...bulk, urgent]);
  expect(order[0]).toBe('urgent');
});

test('urgent messages go first, but not faster than the rate', async () => {
  const one = await limiterOf(20);
  await one.acquire(20, true); // the burst
  const began = performance.now();
  await one.acquire(10, true);
  expect(performance.now() - began).toBeGreaterThan(400);
});

test('saves up the messages of one second at most', async () => {
  const one = await limiterOf(20);
  const direct = new Redis(redis.uri);
  await direct.hset(`test-${prefix}:rate:email`, { tokens: 0, at: Date.now() - 600_000 });
  await direct.quit();
  await one.acquire(20, false);
  expect(await took(one, 1, 10)).toBeGreaterThan(400);
});

test('waits no longer when the clock of Redis has stepped back', async () => {
  const one = await limiterOf(20);
  const direct = new Redis(redis.uri);
  await direct.hset(`test-${prefix}:rate:email`, { tokens: 0, at: Date.now() + 600_000 });
  await direct.quit();
  expect(await took(one, 1)).toBeLessThan(2_000);
});

test('sends no message that waits while it is closed', async () => {
  const one = await limiterOf(20);
  await one.acquire(20, true); // the burst
  const waiting = [true, false].map((urgent) => one.acquire(10, urgent));
  const direct = new Redis(redis.uri);
  await expect.poll(async () => Number(await direct.hget(`test-${prefix}:rate:email`, 'tokens'))).toBeLessThan(0);
  await direct.quit();
  await one.close();
  expect(await Promise.all(waiting)).toEqual([false, false]);
});

test('without Redis stops messages, and closes immediately', async () => {
  const limited = await limiterOf(10);
  await limited.acquire(1, false);
  await redis.kill();
  const waiting = limited.acquire(1, false);
  await limited.close();
  expect(await waiting).toBe(false);
  await redis.restart({ empty: true });
});
