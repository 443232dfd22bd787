import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Clock } from '../core/clock.ts';
import type { WakeUps } from '../core/wake-ups.ts';
import type { Part, ProcessContext } from './process.ts';
import type { Stores } from './stores.ts';

/**
 * One round of a loop: does what is due. @returns when the next item is due; null: no item is known; undefined: the round
 * could not do its work now
 */
type Round = (signal: AbortSignal) => Promise<Date | null | undefined>;

type LoopOptions = {
  name: string;
  round: Round;
  /** ends a pause early */
  wakeUps?: WakeUps;
  clock: Clock;
  /** the pause after a wake-up, an overdue item or a failure */
  tickMs: number;
  /** the longest pause, so that items are found whose wake-up was lost */
  sweepMs: number;
  log: Pick<Logger, 'error'>;
};

/** Starts loops of a process, which owns them. @param wakeUps tell that an item may be due earlier */
export function openLoops(
  { config: { tickMs, sweepMs }, log, own }: Pick<ProcessContext, 'config' | 'log' | 'own'>,
  { clock }: Pick<Stores, 'clock'>,
  wakeUps?: WakeUps,
) {
  return {
    /** Runs a round when its next item is due, and TICK_MS after a wake-up. */
    whenDue: (name: string, round: Round) => void own(loop({ name, round, wakeUps, clock, tickMs, sweepMs, log })),
    /** Runs a round every SWEEP_MS. */
    everySweep: (name: string, work: (signal: AbortSignal) => Promise<unknown>) =>
      void own(loop({ name, round: (signal) => work(signal).then(() => null), clock, tickMs, sweepMs, log })),
  };
}

/** The pause before the next round while there is a backlog. */
const BACKLOG_MS = 50;

/**
 * A round that works only if an item is due.
 * @param work resolves to `backlog` if it has left one: then the next round follows sooner
 */
export const ifDue =
  (clock: Clock, nextDue: () => Promise<Date | null>, work: (signal: AbortSignal) => Promise<unknown>): Round =>
  async (signal) => {
    const due = await nextDue();
    if (due === null || due > clock.now()) return due;
    if ((await work(signal)) === 'backlog') return new Date(clock.now().getTime() + BACKLOG_MS);
    return signal.aborted ? null : nextDue();
  };

/** Repeats a round, one at a time, and sleeps in between. Logs a failure once, until a round succeeds or fails otherwise. */
export function loop({ name, round, wakeUps, clock, tickMs, sweepMs, log }: LoopOptions): Part {
  const stopping = new AbortController();
  const { signal } = stopping;
  let isWoken = false;
  let waking = new AbortController();
  let failure: string | null = null;
  const sleep = (ms: number) => {
    waking = new AbortController();
    return delay(ms, undefined, { signal: waking.signal }).catch(() => {});
  };
  wakeUps?.subscribe(() => {
    isWoken = true;
    waking.abort();
  });

  async function runRound(): Promise<number> {
    try {
      const next = await round(signal);
      failure = null;
      return next === undefined ? tickMs : pauseUntil(next, clock.now(), tickMs, sweepMs);
    } catch (error) {
      const last = failure;
      failure = String(error);
      if (!signal.aborted && failure !== last) log.error({ name, error }, 'loop.failed');
      return tickMs;
    }
  }

  const rounds = (async () => {
    while (!signal.aborted) {
      isWoken = false;
      const pauseMs = await runRound();
      const from = performance.now();
      if (!isWoken && !signal.aborted) await sleep(pauseMs);
      const leftMs = pauseMs - (performance.now() - from);
      // No further wake-up ends this pause, so that a burst of them leads to one round.
      if (isWoken && leftMs > 0) await delay(Math.min(tickMs, leftMs), undefined, { signal }).catch(() => {});
    }
  })();

  const stop = () => {
    stopping.abort();
    waking.abort();
  };
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

/** The shortest pause between two rounds, so that items due in the same moment are found together. */
const SHORTEST_MS = 20;

/** The pause until the next item is due, within bounds; an overdue one was just tried. */
export function pauseUntil(next: Date | null, now: Date, tickMs: number, sweepMs: number): number {
  if (next === null) return sweepMs;
  return next <= now ? tickMs : Math.min(sweepMs, Math.max(SHORTEST_MS, next.getTime() - now.getTime()));
}
