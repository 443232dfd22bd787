import type { mongo } from 'mongoose';
import type { Listen } from '../notifications/ports.ts';
import type { Database } from './database.ts';

/**
 * Follows a collection. The driver opens a change stream again after a lost connection or a new primary, from where it
 * was; only what it can't mend is `lost`.
 */
export const follow =
  <Change extends object>(
    database: Database,
    rows: { watch(pipeline: object[], options: mongo.ChangeStreamOptions): mongo.ChangeStream },
    pipeline: object[],
  ): Listen<Change> =>
  async (on, lost) => {
    // Said before the stream is open, so that nothing falls between the two.
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
