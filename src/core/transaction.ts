import { setTimeout as delay } from 'node:timers/promises';
import { Refused } from './errors.ts';
import { chunksOf } from './groups.ts';

/** An open transaction; only stores look inside. */
export type Tx = { readonly transaction: unique symbol };

/**
 * Runs `work` in one transaction: all of its writes or none, durable on a majority when it returns. After a write conflict
 * `work` runs again from the start, so its writes must be its only effect.
 * @throws Refused `busy` after many write conflicts
 */
export type Transact = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/**
 * Runs `work` in one transaction without retrying, for callers that decide again after a conflict.
 * @throws WriteConflict if another transaction changed the same rows
 */
export type TransactOnce = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/** Another transaction changed the same rows. Nothing was written; the caller may retry. */
export class WriteConflict extends Error {
  override readonly name = 'WriteConflict';
}

/** The result of `work`, or `otherwise` after a write conflict, for work that a later round finds again. */
export async function unlessContended<T, Otherwise>(work: Promise<T>, otherwise: Otherwise): Promise<T | Otherwise> {
  return work.catch((error) => {
    if (error instanceof WriteConflict) return otherwise;
    throw error;
  });
}

/** The longest pause before a chunk is retried after a write conflict. */
const MAX_BACKOFF_MS = 30;

type Options = {
  size: number;
  /** transactions that run in parallel; default 1 */
  concurrency?: number;
  signal?: AbortSignal;
  random?: () => number;
  pause?: (ms: number) => Promise<unknown>;
};

type Chunk<T> = { items: readonly T[]; conflicts: number };

/**
 * Processes many items in transactions of up to `size` items. After a write conflict a chunk is retried behind all others:
 * whole at first, because another process of our kind has probably done its work; then halved, until only the contended
 * items are alone. A single item that is still contended is left for the next call. Chunks are shuffled so that two
 * processes with the same list rarely meet at the same rows.
 * @returns the sum of what `work` returned
 */
export async function processInChunks<T>(
  { transactOnce, transact }: { transactOnce: TransactOnce; transact: Transact },
  all: readonly T[],
  work: (items: readonly T[], tx: Tx) => Promise<number>,
  { size, concurrency = 1, signal, random = Math.random, pause = delay }: Options,
): Promise<number> {
  const chunks = chunksOf(all, size).map((items) => ({ items, conflicts: 0, order: random() }));
  const waiting: Chunk<T>[] = chunks.sort((a, b) => a.order - b.order);
  let total = 0;

  async function processWaiting(): Promise<void> {
    for (let chunk = waiting.shift(); chunk && !signal?.aborted; chunk = waiting.shift()) {
      if (chunk.conflicts > 0) await pause(MAX_BACKOFF_MS * random());
      // Not `total += await …`: that would overwrite what other workers added meanwhile.
      const done = await processChunk(chunk);
      total += done;
    }
  }

  async function processChunk({ items, conflicts }: Chunk<T>): Promise<number> {
    try {
      if (items.length === 1) return await transact((tx) => work(items, tx));
      return await transactOnce((tx) => work(items, tx));
    } catch (error) {
      if (items.length === 1 && error instanceof Refused && error.refusal.code === 'busy') return 0;
      if (!(error instanceof WriteConflict)) throw error;
      const nextSize = conflicts === 0 ? items.length : Math.ceil(items.length / 2);
      waiting.push(...chunksOf(items, nextSize).map((again) => ({ items: again, conflicts: conflicts + 1 })));
      return 0;
    }
  }

  const workers = Array.from({ length: Math.min(concurrency, waiting.length) }, () =>
    processWaiting().catch((error) => {
      // The other workers finish their chunk and start no new one.
      waiting.length = 0;
      throw error;
    }),
  );
  const failed = (await Promise.allSettled(workers)).find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  return total;
}

/** Ids loaded by one query. */
const ROUND = 2_000;
/** Parallel transactions: while one waits for the journal, others work. */
const CONCURRENCY = 3;

/**
 * Processes due items as `processInChunks` does, until none is left or a round does nothing: items that were contended or
 * refused by a rule are due again at the next tick.
 * @returns the sum of what `work` returned
 */
export async function processDue(
  deps: { transactOnce: TransactOnce; transact: Transact },
  findDue: (limit: number) => Promise<readonly string[]>,
  work: (ids: readonly string[], tx: Tx) => Promise<number>,
  options: Pick<Options, 'size' | 'signal'>,
): Promise<number> {
  for (let total = 0; ; ) {
    const due = await findDue(ROUND);
    const done = await processInChunks(deps, due, work, { ...options, concurrency: CONCURRENCY });
    total += done;
    if (due.length < ROUND || done === 0 || options.signal?.aborted) return total;
  }
}
