import { setTimeout as delay } from 'node:timers/promises';
import { isUnavailable } from './mongo-errors.ts';

const AGAIN_MS = 100;

/** Repeats a write until the database answers it. Only for writes that change nothing when they are repeated. */
export async function untilAnswered<T>(write: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
    await delay(AGAIN_MS);
  }
}
