import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';

const CODE = readFileSync(new URL('../../src/web/public/service-worker.js', import.meta.url), 'utf8');
const ORIGIN = 'https://school.example';

/** Whether the service worker answers for a page that is opened, from its cache if need be. */
function answersFor(path: string): boolean {
  const listeners: Record<string, (event: object) => void> = {};
  const self = {
    location: { origin: ORIGIN },
    addEventListener: (name: string, listener: (event: object) => void) => {
      listeners[name] = listener;
    },
  };
  const caches = { open: () => new Promise(() => {}) };
  runInNewContext(CODE, { self, caches, URL });
  let answers = false;
  const respondWith = () => {
    answers = true;
  };
  listeners.fetch?.({ request: { method: 'GET', mode: 'navigate', url: ORIGIN + path }, respondWith });
  return answers;
}

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
