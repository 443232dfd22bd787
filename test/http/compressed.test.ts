import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { signToken } from '../../src/http/auth/token.ts';
import { cpuMsOf } from '../support/cpu.ts';
import { callerOf, E, STAFF, serve, TOKENS } from '../support/http/http-app.ts';

const plain = (body: Buffer): string => body.toString();

const served = await serve();
for (let n = 0; n < 20; n += 1) await served.given({ title: `Concert ${n}` });
const { id: few } = await served.given({ title: 'Alone' });
const headers = { authorization: `Bearer ${await signToken(TOKENS, callerOf(STAFF))}` };

describe('a long answer', () => {
  const get = (url: string, encodings: string) =>
    served.app.inject({ url, headers: { ...headers, 'accept-encoding': encodings } });

  it.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
    ['br; q=0.0,gzip;Q=0', undefined, plain],
    ['identity', undefined, plain],
  ])('is compressed for a client that accepts %s', async (encodings, encoding, unpack) => {
    const answer = await get(`${E}?limit=50`, encodings);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      vary: 'accept-encoding',
      'content-type': 'application/json; charset=utf-8',
    });
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(Number(answer.headers['content-length'])).toBe(answer.rawPayload.length);
    expect(JSON.parse(unpack(answer.rawPayload).toString()).data).toHaveLength(21);
    if (encoding) expect(answer.rawPayload.length).toBeLessThan(10_000);
  });

  it('takes no time for a long list of encodings', async () => {
    for (const encodings of ['*'.repeat(15_000), `a;q=0.${'0'.repeat(15_000)}1`, 'a;'.repeat(7_500)]) {
      const get = () =>
        served.app.inject({ url: `${E}?limit=50`, headers: { ...headers, 'accept-encoding': encodings } });
      expect(await cpuMsOf(get)).toBeLessThan(100);
    }
  });

  it('is not compressed if it is short or has a tag that names its bytes', async () => {
    for (const url of ['/health/live', `${E}/${few}`]) {
      const answer = await get(url, 'br, gzip');
      expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([200, undefined]);
    }
  });
});
