import { readFile, rename, writeFile } from 'node:fs/promises';
import { type Epoch, isBehind, laterOf, readEpoch, writeEpoch } from '../kernel/epoch.ts';
import { loop, type ProcessContext } from '../process.ts';
import { epochMemory } from '../queues/epoch-memory.ts';
import { type EpochStore, epochStore } from '../stores/epoch-store.ts';
import { queueSettings } from './queues.ts';
import { openStores } from './stores.ts';

/** What is remembered of the database outside of it. Null: nothing. @throws where it can't be asked */
export type Memory = { read(): Promise<Epoch | null>; write(epoch: Epoch): Promise<unknown> };

/**
 * `good`: as far as what is remembered, or further; `held`: behind it; `unknown`: not every memory can be asked, and
 * none that can says it is behind.
 */
export type EpochStanding = 'good' | 'held' | 'unknown';

type Work<A extends unknown[], R> = (...args: A) => Promise<R>;

/** Keeps work from being done on a database that an operator has not accepted. */
export type EpochGuard = {
  /** The same work, left undone while the database is held, and while nobody can say whether it is. */
  guard<A extends unknown[], R>(work: Work<A, R>): Work<A, R | undefined>;
  /** For work that sends nothing and must go on without Redis: left undone only while the database is held. */
  unlessHeld<A extends unknown[], R>(work: Work<A, R>): Work<A, R | undefined>;
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
  let standing: EpochStanding = 'unknown';
  const look = async () => {
    const was = standing;
    standing = await checkEpoch(epochStore(database), memories);
    if (standing === 'held' && was !== 'held') log.error('epoch.held');
    if (standing === 'unknown' && was === 'good') log.warn('epoch.unknown');
    if (standing === 'good' && was === 'held') log.info('epoch.accepted');
  };
  let looking: Promise<void> | null = null;
  const lookOnce = () => {
    looking ??= look().finally(() => {
      looking = null;
    });
    return looking;
  };
  await lookOnce();
  own({
    ...loop({ name: 'epoch', everyMs: config.sweepMs, log, work: lookOnce }),
    ready: async () => ANSWERS[standing],
  });
  return {
    guard:
      (work) =>
      async (...args) => {
        // A memory that was away may be back before the next sweep, and work must not wait for that.
        if (standing === 'unknown') await lookOnce();
        return standing === 'good' ? work(...args) : undefined;
      },
    unlessHeld:
      (work) =>
      async (...args) =>
        standing === 'held' ? undefined : work(...args),
  };
}

const ANSWERS: Record<EpochStanding, string> = {
  good: 'ok',
  held: 'the database is older than what is remembered of it: npm run epoch -- accept',
  unknown: 'what is remembered of the database can’t be read',
};

/** Compares, and where all is well notes how far the database has come: in it first, then outside. */
export async function checkEpoch(store: EpochStore, memories: readonly Memory[]): Promise<EpochStanding> {
  const answers = await Promise.allSettled(memories.map((memory) => memory.read()));
  const remembered = answers
    .map((answer) => (answer.status === 'fulfilled' ? answer.value : null))
    .reduce(laterOf, null);
  if (isBehind(await store.read(), remembered)) {
    // There is nothing that could be told anew.
    if (!(await store.isNew())) return 'held';
    await store.begin((remembered?.epoch ?? 0) + 1);
  }
  // A beat would make an old database look like the latest one to a memory that could not be asked.
  if (answers.some((answer) => answer.status === 'rejected')) return 'unknown';
  await remember(await store.beat(), memories);
  return 'good';
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

/** Many processes may share the file; each puts a whole new one in its place. */
export const fileMemory = (path: string): Memory => ({
  read: async () => readEpoch(await readFile(path, 'utf8').catch(nullIfMissing)),
  async write(epoch) {
    const fresh = `${path}.${process.pid}`;
    await writeFile(fresh, `${writeEpoch(epoch)}\n`);
    await rename(fresh, path);
  },
});

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
