import { setTimeout as delay } from 'node:timers/promises';
import mongoose from 'mongoose';
import { isUnavailable } from './mongo-errors.ts';

const AGAIN_MS = 100;

/** Answers of a server that is not, or no longer, the primary, or shuts down (MongoDB's error codes). */
const NO_PRIMARY = new Set<unknown>([64, 91, 189, 262, 10107, 11600, 11602, 13435, 13436]);

/** Repeats a write until the database answers it. Only for writes that change nothing when they are repeated. */
export async function untilAnswered<T>(write: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isUnanswered(error)) throw error;
    }
    await delay(AGAIN_MS);
  }
}

/** @param error bulk writes wrap what the connection threw */
function isUnanswered(error: unknown): boolean {
  if (!(error instanceof mongoose.mongo.MongoError)) return false;
  const { cause, errorResponse } = error as { cause?: unknown; errorResponse?: unknown };
  return [error, cause, errorResponse].some(
    (one) => isUnavailable(one) || NO_PRIMARY.has((one as { code?: unknown })?.code),
  );
}
