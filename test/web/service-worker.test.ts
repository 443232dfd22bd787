import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';

const CODE = readFileSync(new URL('../../src/web/public/service-worker.js', import.meta.url), 'utf8');
const ORIGIN = 'https://school.example';

/** What the service worker answers for a page that is opened: undefined if it leaves it to the server. */
function answerFor(path: string, shell?: object, fetch?: () => Promise<Response>): Promise<unknown> | undefined {
  const listeners: Record<string, (event: object) => void> = {};
  const self = {
    location: { origin: ORIGIN },
    addEventListener: (name: string, listener: (event: object) => void) => {
      listeners[name] = listener;
    },
  };
  const caches = { open: async () => shell ?? new Promise(() => {}) };
  runInNewContext(CODE, { self, caches, fetch, Response, URL });
  let answer: Promise<unknown> | undefined;
  const respondWith = (given: Promise<unknown>) => {
    answer = given;
  };
  listeners.fetch?.({ request: { method: 'GET', mode: 'navigate', url: ORIGIN + path }, respondWith });
  return answer;
}

const answersFor = (path: string): boolean => answerFor(path) !== undefined;

it.each([
  '/',
  '/events/1',
  '/public/lipova',
  '/inbox',
  '/school',
  '/settings',
  '/messages/new',
  '/calls/event/1',
  '/people',
  '/statistics',
  '/ops',
])('opens %s without a connection', (path) => {
  expect(answersFor(path)).toBe(true);
});

it.each(['/ops/queues', '/ops/queues/queue/email', '/api/v1/me', '/docs', '/unsubscribe/x'])(
  'leaves %s to the server, and never keeps it as the page of the client',
  (path) => {
    expect(answersFor(path)).toBe(false);
  },
);

it.each([
  ['without a connection', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['if a proxy responds while the server restarts', () => Promise.resolve(new Response('', { status: 502 }))],
])('opens the last page %s', async (_, fetch) => {
  const last = new Response('<!doctype html>');
  expect(await answerFor('/events', { match: async () => last }, fetch)).toBe(last);
});

it('opens the page on a device without space to keep it', async () => {
  const page = new Response('<!doctype html>');
  const full = { match: async () => undefined, keys: async () => [], put: () => Promise.reject(new Error('full')) };
  expect(await answerFor('/events', full, async () => page)).toBe(page);
});
