import { expect, test } from 'vitest';
import { clientFolder } from '../support/http/client-folder.ts';
import { E, STAFF, serveAnew } from '../support/http/http-app.ts';

const client = clientFolder();

/** Pages, documentation, data, small pages, files, and errors of every layer. */
const ANSWERS: [string, string, string, Parameters<Awaited<ReturnType<typeof serveAnew>>['ask']>[3]][] = [
  ['a page of the client', 'GET', '/events', {}],
  ['the documentation', 'GET', '/docs', {}],
  ['a list', 'GET', E, {}],
  ['a small page', 'GET', '/unsubscribe/nothing', {}],
  ['health', 'GET', '/health/live', {}],
  ['what is not there', 'GET', '/nothing', {}],
  ['what cannot be read', 'POST', E, { payload: '{', headers: { 'content-type': 'application/json' } }],
  ['a wrong address', 'GET', '/%', {}],
];

test.each(ANSWERS)('%s carries the security headers', async (_name, method, url, more) => {
  for (const publicUrl of ['https://school.test', 'http://school.test']) {
    const { ask } = await serveAnew({ publicUrl, client });
    const { headers } = await ask(STAFF, method, url, more);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': expect.stringMatching(/^(no-referrer|same-origin)$/),
      'permissions-policy': expect.stringContaining('camera=()'),
      'content-security-policy': expect.stringMatching(/^default-src '.*frame-ancestors '(none|self)'/),
    });
    const isHttps = publicUrl.startsWith('https:');
    expect(headers['strict-transport-security']).toEqual(isHttps ? 'max-age=31536000' : undefined);
  }
});
