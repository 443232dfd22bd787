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

const secure = await serveAnew({ publicUrl: 'https://school.test', client });
const plain = await serveAnew({ publicUrl: 'http://school.test', client });

test.each(ANSWERS)('%s carries the security headers', async (_name, method, url, more) => {
  for (const { ask } of [secure, plain]) {
    const { headers } = await ask(STAFF, method, url, more);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': expect.stringMatching(/^(no-referrer|same-origin)$/),
      'permissions-policy': expect.stringContaining('camera=()'),
      'content-security-policy': expect.stringMatching(/^default-src '.*frame-ancestors '(none|self)'/),
    });
    expect(headers['strict-transport-security']).toEqual(ask === secure.ask ? 'max-age=31536000' : undefined);
  }
});
