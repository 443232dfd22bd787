import type { WakeUps } from '../core/wake-ups.ts';
import type { Database } from './database.ts';

/** All work begins with a fact, or with a message that has to be sent again. */
const WORK = [
  {
    $match: {
      $or: [
        { 'ns.coll': 'facts', operationType: 'insert' },
        { 'ns.coll': 'deliveries', 'updateDescription.updatedFields.status': 'waiting' },
        { 'ns.coll': 'deliveries', operationType: 'replace', 'fullDocument.status': 'waiting' },
      ],
    },
  },
  { $project: { _id: 1 } },
];
/** The server answers a change stream without changes after this time. */
const ANSWER_MS = 60_000;

/**
 * Wake-ups from a change stream, one per process. The stream is closed at the first change, since an open one would cost
 * CPU for every change of a busy installation.
 */
export function wakeUps(database: Database): WakeUps {
  const listeners = new Set<() => void>();
  let armed: Promise<void> | null = null;

  async function open(): Promise<void> {
    // Read before the stream opens, so that no change is missed in between.
    const startAtOperationTime = await database.operationTime();
    const stream = database.watch(WORK, { startAtOperationTime, maxAwaitTimeMS: ANSWER_MS, batchSize: 1 });
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
