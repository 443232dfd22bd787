import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { epochCommand } from '../../src/epoch.ts';
import { type Epoch, isBehind, laterOf, readEpoch, writeEpoch } from '../../src/kernel/epoch.ts';
import { epochStore } from '../../src/stores/epoch-store.ts';
import { acceptEpoch, checkEpoch, fileMemory, type Memory } from '../../src/wiring/epoch.ts';
import { draft, eventually, startWorld, type World } from '../support/world.ts';

const E = '/api/v1/operations/events';

let world: World;
beforeAll(async () => {
  world = await startWorld({ start: ['api', 'relay', 'fan-out', 'in-app', 'clock'] });
}, 60_000);
afterAll(() => world?.end());

const at = (epoch: number, beat: string): Epoch => ({ epoch, beat: new Date(beat) });

const away = () => Promise.reject(new Error('away'));
const AWAY: Memory = { read: away, write: away };

test.each<[string, Epoch | null, Epoch | null, boolean]>([
  ['nothing is remembered', at(1, '2026-01-01'), null, false],
  ['it is as remembered', at(1, '2026-01-02'), at(1, '2026-01-02'), false],
  ['it has gone on', at(1, '2026-01-03'), at(1, '2026-01-02'), false],
  ['it was at work later than it knows', at(1, '2026-01-01'), at(1, '2026-01-02'), true],
  ['it knows nothing of itself', null, at(1, '2026-01-02'), true],
  ['a later one was accepted', at(1, '2026-01-03'), at(2, '2026-01-02'), true],
  ['it was accepted as it is', at(2, '2026-01-01'), at(1, '2026-01-02'), false],
])('a database lies behind or not: %s', (_, database, remembered, behind) => {
  expect(isBehind(database, remembered)).toBe(behind);
});

test('the later memory counts, and one that can’t be read counts for nothing', () => {
  const early = at(1, '2026-01-01T00:00:00Z');
  const late = at(1, '2026-01-02T00:00:00Z');
  expect([laterOf(early, late), laterOf(late, early), laterOf(null, early), laterOf(late, null)]).toEqual([
    late,
    late,
    early,
    late,
  ]);
  expect(readEpoch(writeEpoch(late))).toEqual(late);
  for (const text of [null, '', '{}', '{"epoch":1,"beat":"soon"}', 'null']) expect(readEpoch(text)).toBeNull();
});

test('a restored database tells nobody anything until an operator accepts it', async () => {
  const publish = async () => {
    const { body } = await world.call('POST', E, draft());
    expect((await world.call('POST', `${E}/${body.id}/publish`)).status).toBe(200);
    return String(body.id);
  };
  const worked = (id: string) => async () =>
    (await world.database.collection('facts').countDocuments({ event_id: id, relay: { $exists: true } } as never)) ===
    0;
  const first = await publish();
  await eventually('the first is worked off', worked(first));

  // A backup of last week is put in place: what it knows of itself is older than what Redis remembers.
  const marks = world.database.collection('marks');
  await marks.updateOne({ _id: 'epoch' }, { $set: { beat: new Date(Date.now() - 7 * 86_400_000) } as never });
  await Promise.all(
    world.processes.filter(({ name }) => name !== 'api').map((process) => process.waitForLog('epoch.held')),
  );
  const second = await publish();
  const now = await epochCommand(world.env, false);
  expect(now).toContain('workers hold until it is accepted');
  expect(await worked(second)()).toBe(false);
  // Also one that is started only now holds before it does anything.
  const relay = await world.restart('relay');
  await relay.waitForLog('epoch.held');
  expect(await worked(second)()).toBe(false);

  expect(await epochCommand(world.env, true)).toMatch(/^accepted: epoch 2/);
  await eventually('the second is worked off', worked(second));
  expect(await epochCommand(world.env, false)).not.toContain('hold');
}, 60_000);

test('an empty Redis holds nobody up, nor does a new database beside an old Redis', async () => {
  const store = epochStore(world.database);
  const remembered: { epoch: Epoch | null } = { epoch: null };
  const memory: Memory = {
    read: async () => remembered.epoch,
    write: async (epoch) => void Object.assign(remembered, { epoch }),
  };
  expect(await checkEpoch(store, [memory])).toBe('good');
  expect(remembered.epoch).toEqual(await store.read());

  const future = at(7, '2100-01-01T00:00:00Z');
  const own = {
    ...store,
    begin: async (epoch: number) => at(epoch, '2026-01-01'),
    beat: async () => at(8, '2026-01-01'),
  };
  remembered.epoch = future;
  expect(await checkEpoch({ ...own, isNew: async () => true }, [memory])).toBe('good');
  expect(remembered.epoch.epoch).toBe(8);
  remembered.epoch = future;
  expect(await checkEpoch({ ...own, isNew: async () => false }, [AWAY, memory])).toBe('held');
  expect((await acceptEpoch(own, [memory])).epoch).toBe(8);
});

test('while a memory is away nothing is noted, so that an old database is still found out when it is back', async () => {
  const old = at(1, '2026-01-01T00:00:00Z');
  let beats = 0;
  const store = {
    read: async () => old,
    beat: async () => at(1, `2026-03-01T00:00:0${++beats}Z`),
    begin: async () => old,
    isNew: async () => false,
  };
  const file: { epoch: Epoch | null } = { epoch: null };
  const empty: Memory = { read: async () => file.epoch, write: async (epoch) => void Object.assign(file, { epoch }) };
  expect(await checkEpoch(store, [AWAY, empty])).toBe('unknown');
  expect([beats, file.epoch]).toEqual([0, null]);
  const back: Memory = { read: async () => at(1, '2026-02-01T00:00:00Z'), write: async () => {} };
  expect(await checkEpoch(store, [back, empty])).toBe('held');
  expect(beats).toBe(0);
});

test('a file remembers like Redis does, and one that is not there yet remembers nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'schoolbell-epoch-'));
  try {
    const memory = fileMemory(join(folder, 'epoch.json'));
    expect(await memory.read()).toBeNull();
    await memory.write(at(3, '2026-01-01T00:00:00Z'));
    expect(await memory.read()).toEqual(at(3, '2026-01-01T00:00:00Z'));
    await expect(fileMemory(folder).read()).rejects.toThrow();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
