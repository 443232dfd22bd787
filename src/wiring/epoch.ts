import { readFile, writeFile } from 'node:fs/promises';
import { type Epoch, isBehind, laterOf, readEpoch, writeEpoch } from '../kernel/epoch.ts';
import { loop, type ProcessContext } from '../process.ts';
import { epochMemory } from '../queues/epoch-memory.ts';
import { type EpochStore, epochStore } from '../stores/epoch-store.ts';
import { queueSettings } from './queues.ts';
import { openStores } from './stores.ts';

/** What is remembered of the database outside of it. Either may be missing or out of reach. */
export type Memory = { read(): Promise<Epoch | null>; write(epoch: Epoch): Promise<unknown> };

/** Keeps work from being done on a database that an operator has not accepted. */
export type EpochGuard = {
  /** The same work, left undone while the database is held. */
  guard<A extends unknown[], R>(work: (...args: A) => Promise<R>): (...args: A) => Promise<R | undefined>;
};

const opened = new WeakMap<object, Promise<EpochGuard>>();

/**
 * Checks, before anything is sent and at every sweep after that, whether the database is older than what Redis (and
 * EPOCH_FILE) remember of it. One that was restored from a backup would tell people things anew, or things that are long
 * over: its workers hold until `npm run epoch -- accept`. One guard for a process, however many ask.
 */
export function openEpoch(context: ProcessContext<'mongo' | 'redis'>): Promise<EpochGuard> {
  const known = opened.get(context) ?? start(context);
  opened.set(context, known);
  return known;
}

async function start(context: ProcessContext<'mongo' | 'redis'>): Promise<EpochGuard> {
  const { config, log, own } = context;
  const { database } = await openStores(context);
  const redis = epochMemory(queueSettings(config));
  own({ name: 'epoch memory', close: redis.close });
  const memories: Memory[] = config.epochFile ? [redis, fileMemory(config.epochFile)] : [redis];
  let held = false;
  const check = async () => {
    const was = held;
    held = await isHeld(epochStore(database), memories);
    if (held && !was) log.error('epoch.held');
    if (was && !held) log.info('epoch.accepted');
  };
  await check();
  own({
    ...loop({ name: 'epoch', everyMs: config.sweepMs, log, work: check }),
    ready: async () => (held ? 'the database is older than what is remembered of it: npm run epoch -- accept' : 'ok'),
  });
  return {
    guard:
      (work) =>
      async (...args) =>
        held ? undefined : work(...args),
  };
}

/** Compares, and where all is well notes how far the database has come: in it first, then outside. */
export async function isHeld(store: EpochStore, memories: readonly Memory[]): Promise<boolean> {
  // A memory that can't be asked says nothing; it is asked again at the next sweep.
  const answers = await Promise.all(memories.map((memory) => memory.read().catch(() => null)));
  const remembered = answers.reduce(laterOf, null);
  if (isBehind(await store.read(), remembered)) {
    // There is nothing that could be told anew.
    if (!(await store.isNew())) return true;
    await store.begin((remembered?.epoch ?? 0) + 1);
  }
  await remember(await store.beat(), memories);
  return false;
}

/** An operator's word: from now on this database counts, however old it is. */
export async function acceptEpoch(store: EpochStore, memories: readonly Memory[]): Promise<Epoch> {
  const known = await Promise.all([store.read(), ...memories.map((memory) => memory.read().catch(() => null))]);
  const begun = await store.begin(Math.max(0, ...known.map((one) => one?.epoch ?? 0)) + 1);
  await remember(begun, memories);
  return begun;
}

const remember = (epoch: Epoch, memories: readonly Memory[]) =>
  Promise.all(memories.map((memory) => memory.write(epoch).catch(() => {})));

export const fileMemory = (path: string): Memory => ({
  read: async () => readEpoch(await readFile(path, 'utf8')),
  write: (epoch) => writeFile(path, `${writeEpoch(epoch)}\n`),
});
