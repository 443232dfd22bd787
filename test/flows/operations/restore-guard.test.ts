import { mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fileMemory } from '../../../src/app/files.ts';
import { acceptDatabase, compareAges, type Memory } from '../../../src/app/restore-guard.ts';
import { restoreGuardCommand } from '../../../src/cli/restore-guard.ts';
import { type DatabaseAge, isBehind, laterOf, parseAge, serializeAge } from '../../../src/core/restore-guard.ts';
import { restoreGuardStore } from '../../../src/mongo/marks.ts';
import { eventually, openSchool, publishEvent } from '../../support/world.ts';

const world = await openSchool();

const at = (epoch: number, beat: string): DatabaseAge => ({ epoch, beat: new Date(beat) });

const away = () => Promise.reject(new Error('away'));
const AWAY: Memory = { read: away, write: away };

test.each<[string, DatabaseAge | null, DatabaseAge | null, boolean]>([
  ['nothing is remembered', at(1, '2026-01-01'), null, false],
  ['it is as remembered', at(1, '2026-01-02'), at(1, '2026-01-02'), false],
  ['it has gone on', at(1, '2026-01-03'), at(1, '2026-01-02'), false],
  ['it was at work later than it knows', at(1, '2026-01-01'), at(1, '2026-01-02'), true],
  ['it knows nothing of itself', null, at(1, '2026-01-02'), true],
  ['a later one was accepted', at(1, '2026-01-03'), at(2, '2026-01-02'), true],
  ['it was accepted as it is', at(2, '2026-01-01'), at(1, '2026-01-02'), false],
])('a database lies behind what is remembered or not: %s', (_, database, remembered, behind) => {
  expect(isBehind(database, remembered)).toBe(behind);
});

test('the guard takes the latest stored age and ignores one that cannot be read', () => {
  const early = at(1, '2026-01-01T00:00:00Z');
  const late = at(1, '2026-01-02T00:00:00Z');
  expect([laterOf(early, late), laterOf(late, early), laterOf(null, early), laterOf(late, null)]).toEqual([
    late,
    late,
    early,
    late,
  ]);
  expect(parseAge(serializeAge(late))).toEqual(late);
  for (const text of [null, '', '{}', '{"epoch":1,"beat":"soon"}', 'null']) expect(parseAge(text)).toBeNull();
});

test('workers of a restored database send nothing until an operator accepts it', async () => {
  // Other files share the workers.
  onTestFinished(async () => void (await restoreGuardCommand(world.env, true)));
  const worked = (id: string) => async () =>
    (await world.database.collection('facts').countDocuments({ event_id: id, relay: { $exists: true } } as never)) ===
    0;
  const first = await publishEvent(world);
  await eventually('the first fact is processed', worked(first));

  // Restore a backup of last week, whose age is older than the one in Redis.
  const marks = world.database.collection('marks');
  const restore = () =>
    marks.updateOne({ _id: 'epoch' }, { $set: { beat: new Date(Date.now() - 7 * 86_400_000) } as never });
  await restore();
  // A process may write its heartbeat over it just now, which a restored server would prevent.
  const again = setInterval(() => void restore(), 500);
  await Promise.all(
    world.processes.filter(({ name }) => name !== 'api').map((process) => process.waitForLog('restore_guard.halted')),
  );
  clearInterval(again);
  const second = await publishEvent(world);
  const now = await restoreGuardCommand(world.env, false);
  expect(now).toContain('workers are halted until you accept it');
  expect(await worked(second)()).toBe(false);
  // A worker that starts now halts before it takes work.
  const relay = await world.start('relay');
  await relay.waitForLog('restore_guard.halted');
  expect(await worked(second)()).toBe(false);
  await relay.stop();

  expect(await restoreGuardCommand(world.env, true)).toMatch(/^accepted: epoch \d/);
  await eventually('the second fact is processed', worked(second));
  expect(await restoreGuardCommand(world.env, false)).not.toContain('halted');
});

test('an empty Redis halts no worker, nor does a new database beside an old Redis', async () => {
  const store = restoreGuardStore(world.database);
  const remembered: { epoch: DatabaseAge | null } = { epoch: null };
  const memory: Memory = {
    read: async () => remembered.epoch,
    write: async (age) => void Object.assign(remembered, { epoch: age }),
  };
  expect((await compareAges(store, [memory])).state).toBe('good');
  // Keep the heartbeat: the workers go on writing theirs.
  expect(remembered.epoch?.epoch).toBe((await store.readAge())?.epoch);

  const future = at(7, '2100-01-01T00:00:00Z');
  const own = {
    ...store,
    begin: async (epoch: number) => at(epoch, '2026-01-01'),
    beat: async () => at(8, '2026-01-01'),
  };
  remembered.epoch = future;
  expect((await compareAges({ ...own, isNew: async () => true }, [memory])).state).toBe('good');
  expect(remembered.epoch.epoch).toBe(8);
  remembered.epoch = future;
  expect((await compareAges({ ...own, isNew: async () => false }, [AWAY, memory])).state).toBe('halted');
  expect((await acceptDatabase(own, [memory])).epoch).toBe(8);
});

test('workers note no age while Redis is down, so that an old database is still detected afterwards', async () => {
  const old = at(1, '2026-01-01T00:00:00Z');
  let beats = 0;
  const store = {
    readAge: async () => old,
    readCollectionId: async () => 'a',
    beat: async () => at(1, `2026-03-01T00:00:0${++beats}Z`),
    begin: async () => old,
    isNew: async () => false,
  };
  const file: { epoch: DatabaseAge | null } = { epoch: null };
  const empty: Memory = {
    read: async () => file.epoch,
    write: async (age) => void Object.assign(file, { epoch: age }),
  };
  expect((await compareAges(store, [AWAY, empty])).state).toBe('unknown');
  expect([beats, file.epoch]).toEqual([0, null]);
  const back: Memory = { read: async () => at(1, '2026-02-01T00:00:00Z'), write: async () => {} };
  expect((await compareAges(store, [back, empty])).state).toBe('halted');
  expect(beats).toBe(0);
});

test('a running process halts when the database is replaced, however young or empty the new one is', async () => {
  const store = restoreGuardStore(world.database);
  const { seen } = await compareAges(store, []);
  expect(seen).not.toBeNull();
  const replaced = { ...store, readCollectionId: async () => 'another' };
  const emptied = { ...store, readAge: async () => null, isNew: async () => true };
  for (const other of [replaced, emptied]) expect((await compareAges(other, [], seen)).state).toBe('halted');
  // The operator's acceptance overrides the identity of a collection.
  const accepted = { ...replaced, readAge: () => store.begin((seen?.age.epoch ?? 0) + 1) };
  expect((await compareAges(accepted, [], seen)).state).toBe('good');
});

test('a heartbeat never makes a database young that was replaced after the check', async () => {
  const store = restoreGuardStore(world.database);
  const age = await store.readAge();
  const future = { epoch: age?.epoch ?? 1, beat: new Date(Date.now() + 86_400_000) };
  expect(await store.beat(future)).toBeNull();
  const restored = { ...store, readAge: async () => future };
  expect((await compareAges(restored, [])).state).toBe('halted');
});

test('processes that share a file never leave it without an age', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'schoolbell-guard-'));
  try {
    const memories = [1, 2, 3].map(() => fileMemory(join(folder, 'epoch.json')));
    const age = at(3, '2026-01-01T00:00:00Z');
    await memories[0]?.write(age);
    for (let i = 0; i < 100; i++) {
      const writes = Promise.all(memories.map((memory) => memory.write(age)));
      expect(await memories[0]?.read()).toEqual(age);
      await writes;
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a database is not accepted while a memory does not answer, since that may remember a later epoch', async () => {
  const store = restoreGuardStore(world.database);
  const before = await store.readAge();
  await expect(acceptDatabase(store, [AWAY])).rejects.toThrow();
  const env = { ...world.env, REDIS_URL: 'redis://127.0.0.1:9' };
  await expect(restoreGuardCommand(env, false)).rejects.toThrow('REDIS_URL: nothing listens at 127.0.0.1:9');
  const unusable = { ...world.env, EPOCH_FILE: '/no/folder/epoch.json' };
  await expect(restoreGuardCommand(unusable, true)).rejects.toThrow('EPOCH_FILE can’t be written');
  expect((await store.readAge())?.epoch).toBe(before?.epoch);
});

test('a file that can’t be written is logged once until it is written again, and leaves no other file behind', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'schoolbell-guard-'));
  try {
    const path = join(folder, 'epoch.json');
    const warned: unknown[] = [];
    const memory = fileMemory(path, { warn: (...line: unknown[]) => void warned.push(line) });
    const age = at(3, '2026-01-01T00:00:00Z');
    const logged = [{ why: expect.stringContaining('EISDIR') }, 'restore_guard.not_written'];
    for (const lines of [[logged], [logged, logged]]) {
      mkdirSync(path);
      for (let i = 0; i < 2; i++) await expect(memory.write(age)).rejects.toThrow('EISDIR');
      expect(warned).toEqual(lines);
      expect(readdirSync(folder)).toEqual(['epoch.json']);
      rmdirSync(path);
      await memory.write(age);
      rmSync(path);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('accepting a database names an EPOCH_FILE that can’t be written', async () => {
  // Its name leaves no room for that of the new file.
  const EPOCH_FILE = join(tmpdir(), 'e'.repeat(230));
  const accepted = /^accepted: epoch \d+; the workers resume within seconds; EPOCH_FILE can’t be written: ENAMETOOLONG/;
  expect(await restoreGuardCommand({ ...world.env, EPOCH_FILE }, true)).toMatch(accepted);
});

test('a file stores the age as Redis does, and a missing file stores none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'schoolbell-guard-'));
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
