import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';

const CODE = readFileSync(new URL('../../src/web/public/service-worker.js', import.meta.url), 'utf8');
const ORIGIN = 'https://school.example';

/** The listeners of a service worker, by their events. @param clients the pages that are open */
function listenersOf(context: object, clients?: object): Record<string, (event: object) => void> {
  const listeners: Record<string, (event: object) => void> = {};
  const self = {
    clients,
    location: { origin: ORIGIN },
    addEventListener: (name: string, listener: (event: object) => void) => {
      listeners[name] = listener;
    },
  };
  runInNewContext(CODE, { self, URL, ...context });
  return listeners;
}

/** What the service worker answers for a page that is opened: undefined if it leaves it to the server. */
function answerFor(path: string, shell?: object, fetch?: () => Promise<Response>): Promise<unknown> | undefined {
  const caches = { open: async () => shell ?? new Promise(() => {}) };
  const listeners = listenersOf({ caches, fetch, Response });
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

/** What a click on the notification of an event does while these pages are open, the latest first. */
async function clickWith(...paths: string[]): Promise<string[]> {
  const done: string[] = [];
  const pages = paths.map((path) => ({
    url: ORIGIN + path,
    focus: async () => void done.push(`focus ${path}`),
    postMessage: ({ goTo }: { goTo: string }) => void done.push(`go to ${goTo}`),
  }));
  const clients = { matchAll: async () => pages, openWindow: async (path: string) => void done.push(`open ${path}`) };
  let work: Promise<unknown> | undefined;
  const notification = { close() {}, data: { path: '/events/1' } };
  const waitUntil = (given: Promise<unknown>) => {
    work = given;
  };
  listenersOf({}, clients).notificationclick?.({ notification, waitUntil });
  await work;
  return done;
}

it('opens the event of a clicked push message in a page of the client, if one is open', async () => {
  expect(await clickWith('/ack/x', '/inbox', '/events/2')).toEqual(['focus /inbox', 'go to /events/1']);
  expect(await clickWith()).toEqual(['open /events/1']);
});

it.each(['/ack/x', '/docs', '/ops/queues', '/sign-in', '/public/lipova'])(
  'opens it in a new page beside %s, which can’t show it',
  async (path) => {
    expect(await clickWith(path)).toEqual(['open /events/1']);
  },
);
