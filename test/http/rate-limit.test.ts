import { describe, expect, it, test } from 'vitest';
import { allowance, networkOf } from '../../src/http/rate-limit.ts';
import { E, PARENT, STAFF, serveAnew } from '../support/http-app.ts';

describe('the rate limiter', () => {
  it('allows a burst of the whole limit, then one request at a time', () => {
    const take = allowance(60);
    const waits = Array.from({ length: 61 }, () => take('eva', 0));
    expect(waits).toEqual([...Array(60).fill(0), 1000]);
    expect([take('eva', 999), take('eva', 1000), take('eva', 1000)]).toEqual([1, 0, 1000]);
    expect(take('karl', 1000)).toBe(0);
    expect(Array.from({ length: 61 }, () => take('eva', 61_000)).at(-1)).toBe(1000);
  });

  it('forgets the oldest keys above its capacity', () => {
    const take = allowance(1, 2);
    for (const key of ['a', 'b', 'c']) expect(take(key, 0)).toBe(0);
    expect([take('c', 0), take('b', 0), take('a', 0)]).toEqual([60_000, 60_000, 0]);
  });
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
])('%s belongs to %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network);
});

const limited = { status: 429, body: { code: 'rate_limited', detail: 'at most 3 requests a minute' } };

describe('the rate limit', () => {
  it('answers 429 with Retry-After to one caller and serves the others', async () => {
    const { ask } = await serveAnew({ rateLimit: 3 });
    for (let n = 0; n < 3; n += 1) expect((await ask(STAFF, 'GET', E)).status).toBe(200);
    const refused = await ask(STAFF, 'GET', E);
    expect(refused).toMatchObject(limited);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(20);
    // From another address it is the same caller; in another school somebody else.
    expect(await ask(STAFF, 'GET', E, { remoteAddress: '192.0.2.9' })).toMatchObject(limited);
    expect((await ask({ ...STAFF, school_id: 's2' }, 'GET', E)).status).toBe(200);
    expect((await ask(PARENT, 'GET', E)).status).toBe(200);
  });

  it('counts requests without a valid token by address', async () => {
    const { ask } = await serveAnew({ rateLimit: 3 });
    const bad = { headers: { authorization: 'Bearer forged' } };
    expect((await ask(null, 'GET', '/problems/stale')).status).toBe(200);
    expect((await ask(null, 'GET', E, bad)).status).toBe(401);
    expect((await ask(null, 'GET', '/api/v1/public/schools/s1/events')).status).toBe(404);
    for (const url of [E, '/problems/stale', '/unsubscribe/good-token', '/nowhere'])
      expect(await ask(null, 'GET', url, bad), url).toMatchObject(limited);
    expect((await ask(null, 'GET', '/problems/stale', { remoteAddress: '192.0.2.9' })).status).toBe(200);
    // A good token is its holder's, wherever it comes from.
    expect((await ask(STAFF, 'GET', E)).status).toBe(200);
  });

  it('does not apply to health checks, callbacks and client files', async () => {
    const file = { type: 'text/html', etag: '"1"', body: Buffer.from('x'), br: null, gzip: null };
    const client = ['index.html', 'assets/a.js'].map((name) => ({ ...file, name }));
    const { ask } = await serveAnew({ rateLimit: 1, client });
    for (let n = 0; n < 3; n += 1) {
      for (const url of ['/health/live', '/', '/assets/a.js']) expect((await ask(null, 'GET', url)).status).toBe(200);
      expect((await ask(null, 'POST', '/callbacks/twilio/d1?fence=1')).status).not.toBe(429);
    }
  });

  it('refuses nothing if no limit is set', async () => {
    const { ask } = await serveAnew({ rateLimit: 0 });
    for (let n = 0; n < 5; n += 1) expect((await ask(null, 'GET', '/problems/stale')).status).toBe(200);
  });
});

test.each([
  ['nobody is believed', undefined, ['a', 'b'], 429],
  ['one proxy tells the last address', 1, ['a, 192.0.2.1', 'a, 192.0.2.2'], 200],
  ['what a visitor claims before the proxy is not', 1, ['192.0.2.1, 192.0.2.7', '192.0.2.2, 192.0.2.7'], 429],
  ['a proxy is known by its address', '127.0.0.1', ['192.0.2.1', '192.0.2.2'], 200],
  ['an unknown one is not', '198.51.100.0/24', ['192.0.2.1', '192.0.2.2'], 429],
])('behind a proxy: %s', async (_name, trustProxy, [first = '', second = ''], status) => {
  const { ask } = await serveAnew({ rateLimit: 1, ...(trustProxy === undefined ? {} : { trustProxy }) });
  const from = (address: string) =>
    ask(null, 'GET', '/problems/stale', { headers: { 'x-forwarded-for': address }, remoteAddress: '127.0.0.1' });
  expect((await from(first)).status).toBe(200);
  expect((await from(second)).status).toBe(status);
});
