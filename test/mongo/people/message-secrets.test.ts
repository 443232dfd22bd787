import { expect, test } from 'vitest';
import { loadMessageSecrets } from '../../../src/mongo/people/secret-store.ts';
import { signedMessageIds } from '../../../src/notifications/providers/message-ids.ts';
import { emptyDatabase } from '../../support/database.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const START = Date.UTC(2026, 8, 1);

const database = await emptyDatabase();

/** The signatures of a process at a given time. */
async function startProcess(at: number) {
  const clock = { at };
  const secretAt = await loadMessageSecrets({ ...database, clock: { now: () => new Date(clock.at) } });
  return { clock, ids: signedMessageIds(secretAt) };
}

test('every process signs a message equally, whenever it started and however often secrets rotate', async () => {
  const first = await startProcess(START);
  const signed = new Map<number, string>();
  // A message every 17 hours over three months: one process keeps running, the other restarts each time.
  for (let at = START; at < START + 90 * DAY; at += 17 * HOUR) {
    const message = { id: 'a1'.repeat(32), created_at: new Date(at) };
    first.clock.at = at;
    signed.set(at, await first.ids.of(message));
    const second = await startProcess(at + HOUR / 2);
    expect(await second.ids.of(message)).toBe(signed.get(at));
  }
  expect(new Set(signed.values()).size).toBe(3);
  // Copies of old messages are unchanged, and their signatures are accepted.
  const last = await startProcess(START + 91 * DAY);
  for (const [at, local] of signed) {
    const message = { id: 'a1'.repeat(32), created_at: new Date(at) };
    expect(await last.ids.of(message)).toBe(local);
    expect(await last.ids.isSignature(message, local.split('.')[1] ?? '')).toBe(true);
  }
});

test('a signature is valid for one message of one installation only', async () => {
  const { ids } = await startProcess(START);
  const message = { id: 'a1'.repeat(32), created_at: new Date(START) };
  const [, signature = ''] = (await ids.of(message)).split('.');
  expect(await ids.isSignature(message, signature)).toBe(true);
  expect(await ids.isSignature({ ...message, id: 'b2'.repeat(32) }, signature)).toBe(false);
  expect(await ids.isSignature(message, '')).toBe(false);
  expect(await ids.isSignature(message, signature.slice(1))).toBe(false);
  const elsewhere = signedMessageIds(async () => Buffer.alloc(32));
  expect(await elsewhere.isSignature(message, signature)).toBe(false);
});
