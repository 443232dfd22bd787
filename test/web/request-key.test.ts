import { expect, onTestFinished, test, vi } from 'vitest';
import { setRequestKey } from '../../src/web/api/request-key.ts';

/** Sends a change of an event that gets this answer, 0 for none. @returns its idempotency key */
async function send(path: string, status: number, method = 'POST'): Promise<string | null> {
  const request = new Request(`https://school.test/api/v1/operations/events/${path}`, { method, body: '{}' });
  const settle = await setRequestKey(request);
  settle(status);
  return request.headers.get('idempotency-key');
}

test.each([0, 409, 429, 500, 503])('a change answered with %i keeps its key when it is tried again', async (status) => {
  const first = await send('a/publish', status);
  expect(await send('a/publish', 200)).toBe(first);
  expect(await send('a/publish', 200)).not.toBe(first);
});

test('a change keeps its key until five minutes after its last lost response', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const first = await send('g/publish', 0);
  vi.advanceTimersByTime(4 * 60_000);
  expect(await send('g/publish', 0)).toBe(first);
  vi.advanceTimersByTime(4 * 60_000);
  expect(await send('g/publish', 0)).toBe(first);
  vi.advanceTimersByTime(5 * 60_000);
  expect(await send('g/publish', 200)).not.toBe(first);
});

test('a refused change gets another key when it is tried again', async () => {
  expect(await send('b/publish', 422)).not.toBe(await send('b/publish', 200));
});

test('a change is a new one once the same event has changed otherwise', async () => {
  const first = await send('c/publish', 0);
  await send('d/publish', 200);
  expect(await send('c/publish', 0)).toBe(first);
  await send('c/unpublish', 200);
  expect(await send('c/publish', 200)).not.toBe(first);
});

test('a change has a key also without https, where the browser makes no UUIDs', async () => {
  const { crypto } = globalThis;
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes) });
  expect(await send('f/publish', 200).finally(() => vi.unstubAllGlobals())).toMatch(/^[0-9a-f]{32}$/);
});

test('a change that states a whole needs no key', async () => {
  expect(await send('e/publish', 0, 'PUT')).toBeNull();
});
