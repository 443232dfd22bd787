import { setTimeout as delay } from 'node:timers/promises';
import { isUnavailable } from './mongo-errors.ts';

const AGAIN_MS = 100;

/** Repeats an idempotent write until the database answers. */
export async function retryUntilAnswered<T>(write: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
    await delay(AGAIN_MS);
  }
}
