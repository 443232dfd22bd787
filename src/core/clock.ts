import { setTimeout as delay } from 'node:timers/promises';

/** The only source of the current time: slices take a clock so that tests can set it. */
export type Clock = { now(): Date };

/** Resolves as `work`, or as `late` if `work` takes longer than `ms`. Leaves no timer behind. */
export async function within<T>(ms: number, work: Promise<T>, late: () => T): Promise<T> {
  const done = new AbortController();
  try {
    const { signal } = done;
    return await Promise.race([work, delay(ms, undefined, { signal }).then(late)]);
  } finally {
    done.abort();
  }
}
