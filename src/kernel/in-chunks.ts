import { Refused } from './errors.ts';
import { type Attempt, Contended, type Transact, type Tx } from './transaction.ts';

/**
 * Works through many things in transactions of up to `size` each. Where somebody else is at the same rows, the chunk is
 * halved until only what is really contended goes by itself; one thing that stays contended is left for the next round.
 * Chunks come in another order each time, so that two who start with the same list are seldom at the same rows.
 * @returns the sum of what `work` returned
 */
export async function inChunks<T>(
  { attempt, transact }: { attempt: Attempt; transact: Transact },
  all: readonly T[],
  work: (some: readonly T[], tx: Tx) => Promise<number>,
  { size, signal, random = Math.random }: { size: number; signal?: AbortSignal; random?: () => number },
): Promise<number> {
  let done = 0;
  for (const chunk of shuffled(chunksOf(all, size), random)) {
    if (signal?.aborted) break;
    done += await halving(chunk);
  }
  return done;

  async function halving(chunk: readonly T[]): Promise<number> {
    try {
      if (chunk.length === 1) return await transact((tx) => work(chunk, tx));
      return await attempt((tx) => work(chunk, tx));
    } catch (error) {
      if (chunk.length === 1 && error instanceof Refused && error.refusal.code === 'busy') return 0;
      if (!(error instanceof Contended)) throw error;
      const half = Math.ceil(chunk.length / 2);
      return (await halving(chunk.slice(0, half))) + (await halving(chunk.slice(half)));
    }
  }
}

function chunksOf<T>(all: readonly T[], size: number): T[][] {
  const chunks: T[][] = [];
  for (let i = 0; i < all.length; i += size) chunks.push(all.slice(i, i + size));
  return chunks;
}

/** Each order equally likely (Fisher and Yates). */
function shuffled<T>(all: T[], random: () => number): T[] {
  for (let i = all.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [all[i], all[j]] = [all[j] as T, all[i] as T];
  }
  return all;
}
