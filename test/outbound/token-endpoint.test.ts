import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { tokenEndpoint } from '../../src/outbound/token-endpoint.ts';
import { serve } from '../support/serve.ts';

/** Asks a provider for a token. */
async function askAt(listener: RequestListener) {
  const issuer = await serve(listener);
  return tokenEndpoint({ issuer, clientId: 'school', clientSecret: 's' })(new URLSearchParams({ code: 'c' }));
}

test.each([
  ['a page', '<!doctype html>'],
  ['null', 'null'],
  ['no token endpoint', '{"issuer":"x"}'],
  ['a token endpoint that is no address', '{"token_endpoint":"/token"}'],
])('a provider that describes itself by %s is busy, and the setting is named', async (_name, body) => {
  const refusal = { code: 'busy', detail: expect.stringContaining('OIDC_ISSUER') };
  await expect(askAt((_, answer) => void answer.end(body))).rejects.toMatchObject({ refusal });
});

test('a provider that breaks off its answer is busy', async () => {
  const breakOff: RequestListener = (_, answer) => {
    answer.writeHead(200, { 'content-length': '100' }).write('{', () => answer.destroy());
  };
  await expect(askAt(breakOff)).rejects.toMatchObject({ refusal: { code: 'busy' } });
});

test.each([500, 307])('a token endpoint that answers %i is busy, and gets no second request', async (status) => {
  const asked: (string | undefined)[] = [];
  const issuer: RequestListener = (request, answer) => {
    asked.push(request.url);
    if (request.url !== '/token')
      answer.end(JSON.stringify({ token_endpoint: `http://${request.headers.host}/token` }));
    else answer.writeHead(status, { location: '/elsewhere' }).end();
  };
  await expect(askAt(issuer)).rejects.toMatchObject({ refusal: { code: 'busy' } });
  expect(asked).toEqual(['/.well-known/openid-configuration', '/token']);
});
