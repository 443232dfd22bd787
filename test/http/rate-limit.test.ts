import { afterEach, describe, expect, it, test, vi } from 'vitest';
import { networkOf } from '../../src/http/rate-limit.ts';
import { clientFolder } from '../support/http/client-folder.ts';
import { E, PARENT, STAFF, serveAnew } from '../support/http/http-app.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
])('%s belongs to %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network);
});

const limited = { status: 429, body: { code: 'rate_limited', detail: 'You can send at most 3 requests a minute.' } };

describe('too many requests', () => {
  afterEach(() => vi.useRealTimers());

  it('are over when the minute is, and each answer says how many are left', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { ask } = await serveAnew({ rateLimit: 2 });
    const left = async () => {
      const { status, headers } = await ask(null, 'GET', '/problems/stale');
      return [status, headers['ratelimit-limit'], headers['ratelimit-remaining'], headers['ratelimit-reset']];
    };
    expect(await left()).toEqual([200, '2', '1', '60']);
    vi.setSystemTime(Date.now() + 40_000);
    expect(await left()).toEqual([200, '2', '0', '20']);
    expect(await left()).toEqual([429, '2', '0', '20']);
    vi.setSystemTime(Date.now() + 20_000);
    expect(await left()).toEqual([200, '2', '1', '60']);
  });

  it('of one caller are refused, and say when to come back; others go on', async () => {
    const { ask } = await serveAnew({ rateLimit: 3 });
    for (let n = 0; n < 3; n += 1) expect((await ask(STAFF, 'GET', E)).status).toBe(200);
    const refused = await ask(STAFF, 'GET', E);
    expect(refused).toMatchObject(limited);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    // From another address it is the same caller; in another school it is another caller.
    expect(await ask(STAFF, 'GET', E, { remoteAddress: '192.0.2.9' })).toMatchObject(limited);
    expect((await ask({ ...STAFF, school_id: 's2' }, 'GET', E)).status).toBe(200);
    expect((await ask(PARENT, 'GET', E)).status).toBe(200);
  });

  it('without a caller count for the address, those with a bad token too', async () => {
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

  it('leave the platform’s checks, a provider’s callbacks and the files of the client alone', async () => {
    const { ask } = await serveAnew({ rateLimit: 1, client: clientFolder() });
    for (let n = 0; n < 3; n += 1) {
      for (const url of ['/health/live', '/', '/assets/a.js']) expect((await ask(null, 'GET', url)).status).toBe(200);
      expect((await ask(null, 'POST', '/callbacks/twilio/d1?fence=1')).status).not.toBe(429);
    }
  });
});

test.each([
  ['no proxy is trusted', undefined, ['a', 'b'], 429],
  ['one proxy tells the last address', 1, ['a, 192.0.2.1', 'a, 192.0.2.2'], 200],
  ['what a visitor claims before the proxy is not', 1, ['192.0.2.1, 192.0.2.7', '192.0.2.2, 192.0.2.7'], 429],
])('behind a proxy: %s', async (_name, trustProxy, [first = '', second = ''], status) => {
  const { ask } = await serveAnew({ rateLimit: 1, ...(trustProxy === undefined ? {} : { trustProxy }) });
  const from = (address: string) =>
    ask(null, 'GET', '/problems/stale', { headers: { 'x-forwarded-for': address }, remoteAddress: '127.0.0.1' });
  expect((await from(first)).status).toBe(200);
  expect((await from(second)).status).toBe(status);
});
