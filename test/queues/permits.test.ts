import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type LocalServer, startRedis } from '../../src/local/services.ts';
import { type Permits, sharedPermits } from '../../src/queues/permits.ts';

let redis: LocalServer;
let prefix = 0;
const opened: Permits[] = [];
beforeAll(async () => {
  redis = await startRedis({});
}, 60_000);
beforeEach(() => {
  prefix += 1;
});
afterAll(async () => {
  await Promise.all(opened.map((one) => one.close()));
  await redis?.stop();
});

async function permits(perSecond: number | null, onRest?: (provider: string, forMs: number) => void): Promise<Permits> {
  const settings = { url: redis.uri, prefix: `test-${prefix}` };
  const made = sharedPermits({ settings, name: 'email', perSecond, ...(onRest ? { onRest } : {}) });
  opened.push(made);
  // The first command waits for nobody: it fails where the connection is not there yet.
  await new Promise((resolve) => setTimeout(resolve, 300));
  return made;
}

/** How long so many, one after another, take in milliseconds. */
async function took(permit: Permits, count: number, each = 1): Promise<number> {
  const began = performance.now();
  for (let i = 0; i < count; i++) expect(await permit.take(each, false)).toBe(true);
  return performance.now() - began;
}

test('a rate holds over two processes together', async () => {
  const [one, two] = [await permits(50), await permits(50)];
  await one.take(50, false); // the burst
  const [a, b] = await Promise.all([took(one, 25), took(two, 25)]);
  expect(Math.max(a, b)).toBeGreaterThan(850);
});

test('what is urgent goes before all that waits, and bulk takes nothing in advance', async () => {
  const one = await permits(20);
  await one.take(20, false); // the burst
  const order: string[] = [];
  const bulk = [1, 2, 3].map((n) => one.take(10, false).then(() => order.push(`bulk ${n}`)));
  const urgent = one.take(2, true).then(() => order.push('urgent'));
  await Promise.all([...bulk, urgent]);
  expect(order[0]).toBe('urgent');
});

test('without a rate nobody waits', async () => {
  expect(await took(await permits(null), 20, 100)).toBeLessThan(1_500);
});

test('what one process was asked to leave alone every other one leaves alone too', async () => {
  const rests: [string, number][] = [];
  const [one, two] = [await permits(null), await permits(null, (...rest) => void rests.push(rest))];
  await two.take(1, false);
  expect(rests).toEqual([]);
  await one.slow('mx:25', 60_000, 0);
  await one.slow('mx:25', 1_000, 0);
  await two.take(1, false);
  expect(rests).toEqual([['mx:25', expect.any(Number)]]);
  expect(rests[0]?.[1]).toBeGreaterThan(50_000);
});

test('"slow down" halves the rate for all, once for what was under way together', async () => {
  const [one, two] = [await permits(200), await permits(200)];
  await one.take(1, false);
  await Promise.all([1, 2, 3, 4].map(() => one.slow('mx:25', 0, 1)));
  // The bucket is empty, and fills with about 100 a second.
  const ms = await took(two, 10, 10);
  expect(ms).toBeGreaterThan(850);
  expect(ms).toBeLessThan(5_000);
});

test('a bucket without a rate is slowed from what left lately', async () => {
  const one = await permits(null);
  await took(one, 10, 10);
  await one.slow('mx:25', 0, 1);
  expect(await took(one, 1, 50)).toBeGreaterThan(250);
});

test('while Redis is away a rate lets nothing leave, no rate everything, and the end of the process waits for neither', async () => {
  const [limited, free] = [await permits(10), await permits(null)];
  await limited.take(1, false);
  await redis.kill();
  expect(await free.take(1, false)).toBe(true);
  const waiting = limited.take(1, false);
  await limited.close();
  expect(await waiting).toBe(false);
  await redis.restart({ empty: true });
}, 60_000);
