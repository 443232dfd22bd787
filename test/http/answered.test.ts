import { expect, test } from 'vitest';
import { signToken } from '../../src/http/auth/token.ts';
import type { CompletedRequest } from '../../src/http/deps.ts';
import { callerOf, E, STAFF, serveAnew, TOKENS } from '../support/http/http-app.ts';

const STREAM = '/api/v1/me/inbox/stream';

test('reports each answer with its route, and no live stream when it ends', async () => {
  const answered: CompletedRequest[] = [];
  const { ask, app, logged } = await serveAnew({ onResponse: (one) => answered.push(one) });
  const origin = await app.listen({ port: 0 });
  const authorization = `Bearer ${await signToken(TOKENS, callerOf(STAFF))}`;
  const stream = await fetch(`${origin}${STREAM}`, { headers: { authorization } });
  expect(stream.status).toBe(200);
  await ask(STAFF, 'GET', `${E}/no-such-event`);
  await ask(STAFF, 'GET', '/no/such/page');
  await Promise.all([app.close(), stream.text()]);
  // The end of the stream is logged like that of every request.
  await expect.poll(() => logged.map(({ ids }) => ids.route)).toContain(STREAM);
  const seconds = expect.any(Number);
  expect(answered).toEqual([
    { method: 'GET', route: `${E}/:id`, status: 404, seconds },
    { method: 'GET', route: 'none', status: 404, seconds },
  ]);
});
