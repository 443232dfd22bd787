import type { mongo } from 'mongoose';
import type { Listen, WakeUps } from '../core/wake-ups.ts';
import type { Database } from './database.ts';

/**
 * Watches one collection, or all of them. The driver resumes its change stream after a lost connection or a new primary;
 * `lost` is called only if it can’t.
 */
export const watchChanges =
  <Change extends object>(
    database: Database,
    rows: { watch(pipeline: object[], options: mongo.ChangeStreamOptions): mongo.ChangeStream },
    pipeline: object[],
  ): Listen<Change> =>
  async (on, lost) => {
    // Taken before the stream opens, so that no change is missed in between.
    const startAtOperationTime = await database.operationTime();
    const stream = rows.watch(pipeline, { startAtOperationTime });
    let closing = false;
    const reading = (async () => {
      while (!closing) on((await stream.next()) as unknown as Change);
    })().catch((error) => {
      if (closing) return;
      void stream.close().catch(() => {});
      lost(error);
    });
    return async () => {
      closing = true;
      await stream.close();
      await reading;
    };
  };

/** The changes that make work. */
const CHANGES = {
  /** an outbox entry, or a message that has to be sent again */
  messages: [
    { 'ns.coll': 'facts', operationType: 'insert', 'fullDocument.relay': { $exists: true } },
    { 'ns.coll': 'deliveries', 'updateDescription.updatedFields.status': 'waiting' },
    { 'ns.coll': 'deliveries', operationType: 'replace', 'fullDocument.status': 'waiting' },
  ],
  /** the dates, the status or the free seats of an event, or a change of it that is held */
  events: [
    { 'ns.coll': 'facts', operationType: 'insert', 'fullDocument.type': /^(event|seats)\./ },
    { 'ns.coll': 'held_changes', operationType: 'insert' },
  ],
} as const;

/** The server answers a change stream without changes after this time. */
const ANSWER_MS = 60_000;

/** Wake-ups for each kind of change; all loops of a process share those of one kind. */
export const wakeUps = (database: Database): Record<keyof typeof CHANGES, WakeUps> => ({
  messages: changeWakeUps(database, CHANGES.messages),
  events: changeWakeUps(database, CHANGES.events),
});

/**
 * Wake-ups from a change stream. It is closed at the first change, since an open one costs CPU for every change of a busy
 * installation.
 */
function changeWakeUps(database: Database, changes: readonly object[]): WakeUps {
  const pipeline = [{ $match: { $or: changes } }, { $project: { _id: 1 } }];
  const listeners = new Set<() => void>();
  let armed: Promise<void> | null = null;

  async function open(): Promise<void> {
    // Read before the stream opens, so that no change is missed in between.
    const startAtOperationTime = await database.operationTime();
    const stream = database.watch(pipeline, { startAtOperationTime, maxAwaitTimeMS: ANSWER_MS, batchSize: 1 });
    const notify = () => {
      armed = null;
      void stream.close().catch(() => {});
      for (const listener of listeners) listener();
    };
    void stream.next().then(notify, notify);
  }

  return {
    subscribe: (listener) => void listeners.add(listener),
    arm() {
      armed ??= open().catch((error) => {
        armed = null;
        throw error;
      });
      return armed;
    },
  };
}
