import Fastify from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../src/http/app.ts';
import { accessFault, guardAccess } from '../../src/http/auth/access.ts';
import type { HttpDeps } from '../../src/http/deps.ts';
import { PERMISSIONS } from '../../src/people/caller.ts';
import { ENTRIES } from '../support/http/isolation-entries.ts';

const verifyToken = async (): Promise<never> => {
  throw new Error('no token is asked for here');
};

/** Every route that needs no token; those that the document leaves out are listed here. */
const OPEN = [
  ...Object.keys(ENTRIES).flatMap((route) => (ENTRIES[route]?.kind === 'open' ? `${route} open` : [])),
  'GET /unsubscribe/{token} open',
  'POST /unsubscribe/{token} open',
  'GET /ack/{token} open',
  'POST /ack/{token} open',
  'GET /place/{token} open',
  'POST /place/{token} open',
  'GET /sample-email/{token} open',
  'POST /callbacks/twilio/{delivery_id} open',
  'POST /callbacks/sms open',
  'POST /callbacks/email open',
];

async function declared(): Promise<string[]> {
  const app = buildApp({} as HttpDeps, { publicUrl: 'https://school.test', verifyToken });
  const lines: string[] = [];
  app.addHook('onRoute', ({ method, url, config = {} }) => {
    if (method === 'HEAD' || url.startsWith('/docs')) return;
    lines.push(
      `${method} ${url.replace(/:(\w+)/g, '{$1}')} ${config.permission ?? (config.anyToken ? 'any token' : 'open')}`,
    );
  });
  await app.ready();
  await app.close();
  return lines.sort();
}

describe('access to routes', () => {
  let routes: readonly string[] = [];
  beforeAll(async () => {
    routes = await declared();
  });

  it('needs a token, except for the listed routes', () => {
    expect(routes.filter((line) => line.endsWith(' open'))).toEqual([...OPEN].sort());
  });

  it('names an existing permission', () => {
    expect(routes.length).toBeGreaterThan(50);
    for (const line of routes) {
      const access = line.split(' ').slice(2).join(' ');
      if (access !== 'open' && access !== 'any token') expect(PERMISSIONS).toHaveProperty(access);
    }
  });

  it.each([
    ['nothing', {}],
    ['an empty reason', { open: '' }],
    ['two answers', { permission: 'view_events', open: 'because' } as const],
  ])('fails to start with a route that names %s', async (_name, config) => {
    expect(accessFault({ method: 'GET', url: '/x', config })).toContain('GET /x must name one of');
    const app = Fastify();
    guardAccess(app, {
      ...({} as HttpDeps),
      verifyToken,
      limit: async () => {},
      completeCaller: async (caller) => caller,
    });
    app.get('/x', { config }, async () => 'reached');
    await expect(app.ready()).rejects.toThrow('GET /x must name one of');
  });
});
