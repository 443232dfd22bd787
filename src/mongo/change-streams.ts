import type { mongo } from 'mongoose';
import type { Listen } from '../core/wake-ups.ts';
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
