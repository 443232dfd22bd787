import { request } from 'undici';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedWorld, type World } from '../support/world.ts';

describe('the files of the client', () => {
  let world: World;
  beforeAll(async () => {
    world = await sharedWorld();
  });
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${world.apiUrl}${path}`, { headers, redirect: 'manual' });

  it.each([
    '/',
    '/events',
    '/events/123',
    '/events/123/edit',
    '/public/lipova',
    '/inbox',
    '/settings',
    '/messages/new',
    '/calls/event/1',
    '/people',
    '/people/import',
    '/school',
    '/statistics',
    '/ops',
    '/sign-in',
    '/sign-in/back',
  ])('serve the page at %s with revalidation and a strict content security policy', async (path) => {
    const answer = await get(path, { 'accept-encoding': 'br' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'self'");
    expect(policy).not.toMatch(/unsafe/);
    // Not by fetch, which adds `cache-control: no-cache` to what a browser would send.
    const again = await request(world.apiUrl + path, {
      headers: { 'accept-encoding': 'br', 'if-none-match': answer.headers.get('etag') ?? '' },
    });
    expect(again.statusCode).toBe(304);
  });

  it('serve hashed assets compressed, cacheable for ever', async () => {
    const page = await (await get('/events')).text();
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? '';
    const answers = await Promise.all(
      ['br', 'gzip', 'identity'].map((encoding) => get(script, { 'accept-encoding': encoding })),
    );
    expect(answers.map(({ headers }) => headers.get('content-encoding'))).toEqual(['br', 'gzip', null]);
    for (const { headers } of answers) {
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('vary')).toBe('accept-encoding');
    }
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    expect(new Set(texts).size).toBe(1);
  });

  it('serve the service worker uncached, and a manifest', async () => {
    const worker = await get('/service-worker.js');
    expect(worker.headers.get('content-type')).toMatch(/^(text|application)\/javascript\b/);
    expect(worker.headers.get('cache-control')).toBe('no-cache');
    const manifest = await get('/manifest.webmanifest');
    expect(manifest.headers.get('content-type')).toMatch(/^application\/manifest\+json\b/);
    expect(await manifest.json()).toMatchObject({ start_url: '/events' });
  });

  it('have a picture for the home screen of an iPhone, which takes no SVG', async () => {
    const [, path = ''] = /rel="apple-touch-icon" href="([^"]+)"/.exec(await (await get('/events')).text()) ?? [];
    expect((await get(path)).headers.get('content-type')).toBe('image/png');
  });

  it('answer an unknown address with 404, and with the page to a browser that opens it', async () => {
    const opened = await get('/event', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect(opened.status).toBe(404);
    expect(await opened.text()).toContain('<div id="root">');
    const asked = await get('/api/v1/nothing', { accept: 'text/html' });
    expect(asked.headers.get('content-type')).toBe('application/problem+json');
  });

  it.each([
    '/api/v1/nothing',
    '/nothing',
    '/assets/none.js',
    '/assets/../server.js',
    '/manifest.json',
    '/pages.json',
    '/event',
    '/events/1/nothing',
  ])('answer %s with a problem, not with the page', async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
  });

  it('issue no tokens: only the identity provider does', async () => {
    for (const path of ['/token', '/authorize', '/client-config/token', '/sign-in/token'])
      expect([404, 405], path).toContain(
        (await fetch(`${world.apiUrl}${path}`, { method: 'POST', body: '{}' })).status,
      );
    const config = await (await get('/client-config')).json();
    expect(config).toEqual({
      sign_in: {
        issuer: world.env.OIDC_ISSUER,
        client_id: 'schoolbell-web',
        scope: 'openid',
        params: {},
        token: 'access_token',
        token_path: null,
      },
    });
  });
});
