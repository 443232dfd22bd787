import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Part } from './process.ts';

/** Returned by a round of a loop to change the time of the next one. */
export type NextRound = { inMs: number };

/** Repeats `work`, one round at a time. Logs a failed round; the next one starts after `everyMs`. */
export function loop(options: {
  name: string;
  everyMs: number;
  // biome-ignore lint/suspicious/noConfusingVoidType: most rounds return nothing
  work(signal: AbortSignal): Promise<NextRound | undefined | void>;
  log: Pick<Logger, 'error'>;
}): Part {
  const { name, everyMs, work, log } = options;
  const stopping = new AbortController();
  const { signal } = stopping;

  const rounds = (async () => {
    while (!signal.aborted) {
      const next = await work(signal).catch((error) => {
        if (!signal.aborted) log.error({ name, error }, 'loop.failed');
      });
      await delay(next?.inMs ?? everyMs, undefined, { signal }).catch(() => {});
    }
  })();

  const stop = () => stopping.abort();
  return {
    name,
    stop,
    /** Lets the current round end. */
    async close() {
      stop();
      await rounds;
    },
  };
}
