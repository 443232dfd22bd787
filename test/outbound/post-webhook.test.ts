import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { webhookPoster } from '../../src/outbound/post-webhook.ts';
import { serve } from '../support/serve.ts';

const PUBLIC = { address: '93.184.216.34', family: 4 };
const LOOPBACK = { address: '127.0.0.1', family: 4 };

/** Posts to a server at an allowed origin. */
async function postTo(answer: RequestListener, timeoutMs = 5_000) {
  const origin = await serve(answer);
  const poster = webhookPoster({ timeoutMs, allowedOrigins: [origin] });
  try {
    return await poster.post(`${origin}/hook?key=1`, { 'webhook-id': 'm1' }, '{"a":1}');
  } finally {
    await poster.close();
  }
}

test('posts the body as JSON with its headers', async () => {
  const got: object[] = [];
  const answer = await postTo(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { 'webhook-id': id, 'content-type': type } = request.headers;
    got.push({ method: request.method, url: request.url, id, type, body: Buffer.concat(chunks).toString() });
    response.writeHead(204).end();
  });
  expect(answer).toEqual({ status_code: 204, problem: null });
  expect(got).toEqual([{ method: 'POST', url: '/hook?key=1', id: 'm1', type: 'application/json', body: '{"a":1}' }]);
});

test.each<[string, number | null, string, RequestListener]>([
  ['a refusal', 500, 'refused', (_request, response) => void response.writeHead(500).end()],
  ['410', 410, 'refused', (_request, response) => void response.writeHead(410).end()],
  ['a closed connection', null, 'unreachable', (request) => void request.socket.destroy()],
])('names the problem of %s', async (_what, status_code, problem, listener) => {
  expect(await postTo(listener)).toEqual({ status_code, problem });
});

test('names the problem of no answer in time', async () => {
  expect(await postTo(() => {}, 100)).toEqual({ status_code: null, problem: 'timeout' });
});

test('follows no redirect', async () => {
  const asked: (string | undefined)[] = [];
  const answer = await postTo((request, response) => {
    asked.push(request.url);
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  expect(answer).toEqual({ status_code: 307, problem: 'refused' });
  expect(asked).toEqual(['/hook?key=1']);
});

test('takes the status of an answer whose body never ends', async () => {
  expect(await postTo((_request, response) => void response.writeHead(200).write('…'), 1_000)).toEqual({
    status_code: 200,
    problem: null,
  });
});

test('connects to no private address, by name or by number, unless the operator allows the origin', async () => {
  const asked: string[] = [];
  const origin = await serve((request, response) => {
    asked.push(request.url ?? '');
    response.end();
  });
  const { post, close } = webhookPoster({
    timeoutMs: 5_000,
    // Another port, with which the address begins.
    allowedOrigins: [origin.slice(0, -1)],
    lookup: (name, _options, done) => done(null, name === 'mixed.example' ? [PUBLIC, LOOPBACK] : [LOOPBACK]),
  });
  const named = ['hook.example', 'mixed.example'].map((name) => `http://${name}:${new URL(origin).port}/`);
  for (const url of [origin, ...named, 'https://[::1]/'])
    expect(await post(url, {}, '{}')).toEqual({ status_code: null, problem: 'private_address' });
  expect(asked).toEqual([]);
  await close();
});
