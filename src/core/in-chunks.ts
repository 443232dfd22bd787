import { setTimeout as delay } from 'node:timers/promises';
import { chunksOf } from './chunks-of.ts';
import { Refused } from './errors.ts';
import { type Attempt, Contended, type Transact, type Tx } from './transaction.ts';

/** The longest rest before what was lost to somebody else is tried again. */
const REST_MS = 30;

type Options = {
  size: number;
  /** transactions under way at a time; 1 */
  atOnce?: number;
  signal?: AbortSignal;
  random?: () => number;
  pause?: (ms: number) => Promise<unknown>;
};

/** `lost`: how often somebody else was at the same rows. */
type Chunk<T> = { some: readonly T[]; lost: number };

/**
 * Works through many things in transactions of up to `size` each. Where somebody else is at the same rows, a chunk comes
 * again behind all others, whole at first, since another process of our kind has then done it; the next time it is halved,
 * until only what is really contended goes by itself. One thing that stays contended is left for the next round. Chunks
 * come in another order each time, so that two who start with the same list are seldom at the same rows.
 * @returns the sum of what `work` returned
 */
export async function inChunks<T>(
  { attempt, transact }: { attempt: Attempt; transact: Transact },
  all: readonly T[],
  work: (some: readonly T[], tx: Tx) => Promise<number>,
  { size, atOnce = 1, signal, random = Math.random, pause = delay }: Options,
): Promise<number> {
  const waiting: Chunk<T>[] = shuffled(chunksOf(all, size), random).map((some) => ({ some, lost: 0 }));
  let done = 0;

  async function lane(): Promise<void> {
    for (let chunk = waiting.shift(); chunk && !signal?.aborted; chunk = waiting.shift()) {
      if (chunk.lost > 0) await pause(REST_MS * random());
      // Not `done += await`: that would forget what other lanes have done meanwhile.
      const made = await tried(chunk);
      done += made;
    }
  }

  async function tried({ some, lost }: Chunk<T>): Promise<number> {
    try {
      if (some.length === 1) return await transact((tx) => work(some, tx));
      return await attempt((tx) => work(some, tx));
    } catch (error) {
      if (some.length === 1 && error instanceof Refused && error.refusal.code === 'busy') return 0;
      if (!(error instanceof Contended)) throw error;
      const half = lost === 0 ? some.length : Math.ceil(some.length / 2);
      waiting.push(...chunksOf(some, half).map((again) => ({ some: again, lost: lost + 1 })));
      return 0;
    }
  }

  const lanes = Array.from({ length: Math.min(atOnce, waiting.length) }, () =>
    lane().catch((error) => {
      // The others end what they have begun.
      waiting.length = 0;
      throw error;
    }),
  );
  const failed = (await Promise.allSettled(lanes)).find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  return done;
}

/** Each order equally likely (Fisher and Yates). */
function shuffled<T>(all: T[], random: () => number): T[] {
  for (let i = all.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [all[i], all[j]] = [all[j] as T, all[i] as T];
  }
  return all;
}
