import { setTimeout as delay } from 'node:timers/promises';
import { createMicroBatcher } from '../core/micro-batch.ts';
import { type DatabaseAge, isBehind, laterOf, parseAge, serializeAge } from '../core/restore-guard.ts';
import { type RestoreGuardStore, restoreGuardStore } from '../mongo/marks.ts';
import { producerConnection, redisFault, waitUntilReady, within } from '../queues/connection.ts';
import type { Config } from './config/config.ts';
import { fileMemory, refuseUnusable } from './files.ts';
import { openLoops } from './loop.ts';
import { oncePerProcess, type ProcessContext } from './process.ts';
import { queueSettings } from './queues.ts';
import { openStores } from './stores.ts';

/** A copy of the age of the database outside of it. `read` throws if the memory doesn't answer; null: nothing is stored. */
export type Memory = { read(): Promise<DatabaseAge | null>; write(age: DatabaseAge): Promise<unknown> };

/**
 * `good`: the database is not behind its memories; `halted`: it is behind; `unknown`: the database or a memory doesn't
 * answer, and no memory that answers is ahead of the database.
 */
type GuardState = 'good' | 'halted' | 'unknown';

/** The database as this process saw it last. */
type Seen = { age: DatabaseAge; collectionId: string | null };

/** Wraps work that is skipped now and then. */
type Wrap = <A extends unknown[], R>(work: (...args: A) => Promise<R>) => (...args: A) => Promise<R | undefined>;

/** A comparison is repeated after this time, so a backup that is older is recognised. */
const FRESH_MS = 1_000;
/** The pause between comparisons while the state is unknown. */
const AGAIN_MS = 250;

/**
 * Compares the age of the database with the copies in Redis and EPOCH_FILE: before work that was found in the database and
 * before messages are sent, at most once a second; after a lost connection; and at every sweep. A restored backup would send
 * messages again or messages that are no longer true, so workers halt until `npm run restore-guard -- accept`. Each process
 * has one guard.
 */
export const openRestoreGuard = oncePerProcess(async (context: ProcessContext<'mongo' | 'redis'>) => {
  const { config, log, own } = context;
  const stores = await openStores(context);
  const store = restoreGuardStore(stores.database);
  const { memories, close } = await openMemories(config, log);
  const guard = createRestoreGuard(store, memories, log);
  own({ name: 'restore guard', ready: async () => ANSWERS[guard.state()], stop: guard.stop, close });
  stores.database.onConnectionLost(guard.forget);
  await guard.look();
  openLoops(context, stores).everySweep('restore guard', guard.look);
  return guard;
});

/**
 * Stops workers from sending messages that a restored backup still holds. The process calls `look` at every sweep and `forget`
 * after a lost connection.
 */
export function createRestoreGuard(
  store: RestoreGuardStore,
  memories: readonly Memory[],
  log: Pick<ProcessContext['log'], 'error' | 'warn' | 'info'>,
) {
  let state: GuardState = 'unknown';
  let seen: Seen | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  const enter = (next: GuardState) => {
    if (next === 'halted' && state !== 'halted') log.error('restore_guard.halted');
    if (next === 'unknown' && state === 'good') log.warn('restore_guard.unknown');
    if (next === 'good' && state === 'halted') log.info('restore_guard.accepted');
    state = next;
  };

  const compareOnce = async () => {
    const began = performance.now();
    try {
      const found = await compareAges(store, memories, seen);
      seen = found.seen;
      lookedAt = began;
      enter(found.state);
    } catch (error) {
      if (state !== 'halted') enter('unknown');
      throw error;
    }
  };
  let looking: Promise<void> | null = null;
  const look = () => {
    looking ??= compareOnce().finally(() => {
      looking = null;
    });
    return looking;
  };

  const stopping = new AbortController();
  const { signal } = stopping;
  const isOld = () => performance.now() - lookedAt > FRESH_MS;
  async function isGood(compareFirst = isOld()): Promise<boolean> {
    if (compareFirst) await look().catch(() => {});
    while (state === 'unknown' && !signal.aborted) {
      await delay(AGAIN_MS, undefined, { signal }).catch(() => {});
      await look().catch(() => {});
    }
    return state === 'good';
  }

  const compare = createMicroBatcher(
    () => null,
    async () => {
      // A restored backup has another collection, even before its age is restored. A comparison that runs already may have
      // read before the lease, so the collection is read again.
      const [collectionId] = await Promise.all([store.readCollectionId(), looking?.catch(() => {})]);
      if (state === 'good' && !isOld() && collectionId === seen?.collectionId) return true;
      await look();
      return state === 'good';
    },
  );

  return {
    look,
    forget() {
      lookedAt = Number.NEGATIVE_INFINITY;
      if (state === 'good') enter('unknown');
    },
    state: () => state,
    stop: () => stopping.abort(),
    /**
     * Wraps work that is found in the database: compares first, at most once a second. Skips the work while workers are halted,
     * and delays it while the state is unknown.
     */
    guard: onlyIf(() => isGood()),
    /**
     * Wraps jobs in the same way, but waits for the comparison only while workers are halted: the process that queued the job
     * has compared, and `isUnchanged` waits for it.
     */
    guardJobs: onlyIf(() => {
      // Compares while the job reads and leases its rows, so that its gate waits less.
      if (isOld()) look().catch(() => {});
      return isGood(state === 'halted');
    }),
    /** Wraps work that sends nothing and must continue without Redis: skips it only while workers are halted. */
    unlessHalted: onlyIf(async () => state !== 'halted'),
    /**
     * Checks that the database is still the one that was compared, and compares it again at most once a second. The gate calls
     * it after rows are leased.
     */
    isUnchanged: (): Promise<boolean> => compare(() => {}).catch(() => false),
  };
}

const onlyIf =
  (mayRun: () => Promise<boolean>): Wrap =>
  (work) =>
  async (...args) =>
    (await mayRun()) ? work(...args) : undefined;

const ANSWERS: Record<GuardState, string> = {
  good: 'ok',
  halted: 'the database is older than before, like a restored backup; to continue: npm run restore-guard -- accept',
  unknown: 'the age of the database can’t be checked now',
};

/** Whether the database is older than the one seen before, or its deliveries were replaced. */
function isOtherThan(seen: Seen | null, age: DatabaseAge | null, collectionId: string | null): boolean {
  if (seen === null) return false;
  if (isBehind(age, seen.age)) return true;
  // After an operator accepted the database, its new collection is valid.
  return age?.epoch === seen.age.epoch && collectionId !== seen.collectionId;
}

/**
 * Compares the database with its memories. If it is not behind, advances its age: first in the database, then outside.
 * @param seen what this process saw last; null at its start
 */
export async function compareAges(
  store: RestoreGuardStore,
  memories: readonly Memory[],
  seen: Seen | null = null,
): Promise<{ state: GuardState; seen: Seen | null }> {
  const answers = await Promise.allSettled(memories.map((memory) => memory.read()));
  const remembered = answers
    .map((answer) => (answer.status === 'fulfilled' ? answer.value : null))
    .reduce(laterOf, null);
  const [found, collectionId] = await Promise.all([store.readAge(), store.readCollectionId()]);
  if (isOtherThan(seen, found, collectionId)) return { state: 'halted', seen };
  let age = found;
  if (isBehind(found, remembered)) {
    // A new database has nothing to send again, unless this process has seen it before: then it is being restored.
    if (seen || !(await store.isNew())) return { state: 'halted', seen };
    age = await store.begin((remembered?.epoch ?? 0) + 1);
  }
  // Advancing the age would make an old database look current to a memory that did not answer.
  if (answers.some((answer) => answer.status === 'rejected')) return { state: 'unknown', seen };
  const noted = await store.beat(age);
  if (noted === null) return { state: 'halted', seen };
  await remember(noted, memories);
  return { state: 'good', seen: { age: noted, collectionId } };
}

/**
 * Makes the database the valid one, however old it is, after an operator accepted it.
 * @throws if a memory does not answer, since it may remember a later epoch
 */
export async function acceptDatabase(store: RestoreGuardStore, memories: readonly Memory[]): Promise<DatabaseAge> {
  const known = await Promise.all([store.readAge(), ...memories.map((memory) => memory.read())]);
  const begun = await store.begin(Math.max(0, ...known.map((one) => one?.epoch ?? 0)) + 1);
  await remember(begun, memories);
  return begun;
}

const remember = (age: DatabaseAge, memories: readonly Memory[]) =>
  Promise.all(memories.map((memory) => memory.write(age).catch(() => {})));

const ANSWER_MS = 2_000;

/**
 * Opens the copies of the age in Redis and, if it is set, in EPOCH_FILE. An empty Redis remembers none and halts no worker.
 * @throws BootRefused if EPOCH_FILE can't be read or written, because it would remember nothing
 */
export async function openMemories(config: Config<'mongo' | 'redis'>, log?: Pick<ProcessContext['log'], 'warn'>) {
  if (config.epochFile) await refuseUnusable(config.epochFile);
  const settings = queueSettings(config);
  const redis = producerConnection(settings);
  let lastError: unknown = null;
  redis.on('error', (error) => {
    lastError = error;
  });
  const key = `${settings.prefix}:epoch`;
  const ask = <T>(question: () => Promise<T>) =>
    within(ANSWER_MS, waitUntilReady(redis).then(question)).catch((error) => {
      throw new Error(redisFault([error, lastError]));
    });
  const inRedis: Memory = {
    read: async () => parseAge(await ask(() => redis.get(key))),
    write: (age) => ask(() => redis.set(key, serializeAge(age))),
  };
  const inFile = config.epochFile ? [fileMemory(config.epochFile, log)] : [];
  const memories: readonly Memory[] = [inRedis, ...inFile];
  return { memories, close: async () => redis.disconnect() };
}
