import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { fileReceiver } from '../../src/storage/receive-file.ts';

test('two files are in memory at a time, until they are stored, and the others wait on disk', async () => {
  const receive = fileReceiver(1_000);
  let inMemory = 0;
  let most = 0;
  const store = async ({ name }: { name: string }) => {
    inMemory += 1;
    most = Math.max(most, inMemory);
    await delay(20);
    inMemory -= 1;
    return name;
  };
  const names = ['1.txt', '2.txt', '3.txt', '4.txt', '5.txt'];
  async function* body() {
    yield Buffer.from('text');
  }
  const stored = names.map((name) => receive(body(), { name, use: 'attachment' }, store));
  expect(await Promise.all(stored)).toEqual(names);
  expect(most).toBe(2);
});

test.each([
  ['is stored', 'a'.repeat(10), 'stored'],
  ['is too large by a byte', 'a'.repeat(11), 'too_large'],
  ['is of another kind', '\u0000', 'unsupported_media_type'],
])('a file that %s leaves nothing in the temporary folder', async (_, text, expected) => {
  const folder = mkdtempSync(join(tmpdir(), 'schoolbell-receive-'));
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  async function* body() {
    yield Buffer.from(text);
  }
  const received = fileReceiver(10)(body(), { name: 'a.txt', use: 'attachment' }, async () => 'stored');
  expect(await received.catch(({ refusal }) => refusal.code)).toBe(expected);
  expect(readdirSync(folder)).toEqual([]);
});
