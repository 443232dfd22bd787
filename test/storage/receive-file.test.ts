import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
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
