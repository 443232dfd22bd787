import { createECDH, randomBytes } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { decrypt } from 'http_ece';
import { afterEach, expect, test, vi } from 'vitest';
import { pushEncrypter } from '../../src/channels/push-encrypter.ts';

const browser = createECDH('prime256v1');
const keys = { p256dh: browser.generateKeys('base64url'), auth: randomBytes(16).toString('base64url') };
const read = (body: Uint8Array | null) =>
  body && decrypt(Buffer.from(body), { version: 'aes128gcm', privateKey: browser, authSecret: keys.auth }).toString();

const THREAD = new URL('../../src/channels/push-encryption-thread.ts', import.meta.url);
const TSX = import.meta.resolve('tsx/esm/api');
/** The product's, from its source. */
const asItIs = () =>
  new Worker(`import('${TSX}').then(({ register }) => { register(); return import('${THREAD}'); })`, { eval: true });
const doing = (code: string) => () =>
  new Worker(`const { parentPort } = require('node:worker_threads'); ${code}`, { eval: true });

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

function house(thread: () => Worker) {
  const starts = vi.fn(thread);
  const encrypter = pushEncrypter(starts);
  cleanups.push(() => encrypter.close());
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  const ask = async (count: number) => {
    const bodies = Array.from({ length: count }, (_, n) => encrypter.encrypt(keys, `text ${n}`));
    return (await Promise.all(bodies)).map(read);
  };
  return { encrypter, starts, warned, ask };
}

const texts = (count: number) => Array.from({ length: count }, (_, n) => `text ${n}`);

test('many go to a thread, once started for all of them, and each comes back to whom it is for', async () => {
  const { starts, warned, ask } = house(asItIs);
  expect(await ask(100)).toEqual(texts(100));
  expect(await Promise.all([ask(3), ask(40)])).toEqual([texts(3), texts(40)]);
  expect(starts).toHaveBeenCalledTimes(1);
  expect(warned).not.toHaveBeenCalled();
});

test('a few start no thread', async () => {
  const { starts, ask } = house(asItIs);
  expect(await ask(15)).toEqual(texts(15));
  expect(starts).not.toHaveBeenCalled();
});

test.each([
  ['here', 5],
  ['in the thread', 50],
])('keys that are none spoil only their own message: %s', async (_, count) => {
  const { encrypter, ask } = house(asItIs);
  const [good, bad] = await Promise.all([ask(count), encrypter.encrypt({ ...keys, p256dh: 'AAAA' }, 'text')]);
  expect(good).toEqual(texts(count));
  expect(bad).toBeNull();
});

test.each([
  ['can not be loaded', () => new Worker(new URL('./no-such-file.js', import.meta.url))],
  ['ends at the first message', doing("parentPort.on('message', () => process.exit(3))")],
  ['throws at the first message', doing("parentPort.on('message', () => { throw new Error('out of order') })")],
])('a thread that %s costs time and nothing else, is not started again, and that is said', async (_, thread) => {
  const { starts, warned, ask } = house(thread);
  expect(await Promise.all([ask(20), ask(20)])).toEqual([texts(20), texts(20)]);
  expect(await ask(30)).toEqual(texts(30));
  expect(starts).toHaveBeenCalledTimes(1);
  expect(warned).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('encrypted in the main thread'));
});

test('a thread that says nothing is not waited for beyond ten seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { warned, ask } = house(doing("parentPort.on('message', () => {})"));
  const asked = ask(20);
  await new Promise((resolve) => setImmediate(resolve));
  vi.advanceTimersByTime(10_000);
  expect(await asked).toEqual(texts(20));
  expect(warned).toHaveBeenCalledOnce();
});

test('what is under way when it is closed is answered, and nobody is warned', async () => {
  const { encrypter, warned, ask } = house(doing("parentPort.on('message', () => {})"));
  const asked = ask(20);
  await new Promise((resolve) => setImmediate(resolve));
  await encrypter.close();
  expect(await asked).toEqual(texts(20));
  expect(await ask(20)).toEqual(texts(20));
  expect(warned).not.toHaveBeenCalled();
});
