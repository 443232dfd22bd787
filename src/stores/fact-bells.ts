import { setTimeout as delay } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import type { FactLane } from '../facts/ports.ts';
import { inBatches } from '../kernel/together.ts';
import type { Database } from './database.ts';

/** The shortest time between two bells of one lane: a flood of facts is heard as well by a few. */
const PACE_MS = 20;
/** Before a cursor that ended is opened again. */
const REST_MS = 500;
/** Nobody waits for a majority or the disk: a bell that is lost is one poll later. */
const LOOSE = { w: 1, journal: false } as const;

/**
 * Says that facts of a lane can be read, to every process that listens. Takes no time of whoever calls: one write at a
 * time, and those who ring meanwhile share the next. Failures don't matter.
 */
export function factBells(database: Database): Record<FactLane, () => void> {
  const rows = bellRows(database);
  const bellOf = (lane: FactLane) => {
    const inTurn = inBatches(
      () => null,
      async () => {
        await rows.insertOne({ lane }, { writeConcern: LOOSE }).catch(() => {});
        await delay(PACE_MS, undefined, { ref: false });
      },
    );
    return () => void inTurn(() => {});
  };
  return { urgent: bellOf('urgent'), bulk: bellOf('bulk') };
}

/**
 * A wake-up by bells (1 to 2 ms from ringing to hearing), which costs nothing while there are none, unlike a change
 * stream: that reads whatever is written anywhere. It is opened at the first wait, and again a while after it ended: a new
 * primary, bells overwritten before they were heard. What is in the collection then wakes once more, so nothing is missed
 * in between. While there is none, waiting lasts its full time, which is the poll that correctness rests on.
 */
export function hearBells(database: Database) {
  const waiting = { urgent: { rung: false, wake() {} }, bulk: { rung: false, wake() {} } };
  const closing = new AbortController();
  let cursor: mongo.FindCursor<Bell> | null = null;
  let listening = false;

  async function listen(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        cursor = bellRows(database).find({}, { tailable: true, awaitData: true });
        for await (const { lane } of cursor) {
          const of = waiting[lane === 'urgent' ? 'urgent' : 'bulk'];
          of.rung = true;
          of.wake();
        }
      } catch {}
      await delay(REST_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {});
    }
  }

  return {
    async wait(lane: FactLane, timeoutMs: number, signal: AbortSignal): Promise<void> {
      if (!listening) void listen();
      listening = true;
      const own = waiting[lane];
      if (!own.rung && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const done = () => {
            clearTimeout(timer);
            signal.removeEventListener('abort', done);
            own.wake = () => {};
            resolve();
          };
          const timer = setTimeout(done, timeoutMs);
          signal.addEventListener('abort', done);
          own.wake = done;
        });
      }
      own.rung = false;
    },
    async close(): Promise<void> {
      closing.abort();
      await cursor?.close();
    },
  };
}

type Bell = { lane: FactLane };

const bellRows = (database: Database) => database.collection('fact_bells') as unknown as mongo.Collection<Bell>;
