import { setTimeout as delay } from 'node:timers/promises';
import mongoose from 'mongoose';

/** Codes of a server that is not, or no longer, the primary, or that gave up on a command (error_codes.yml of MongoDB). */
const UNAVAILABLE_CODES: ReadonlySet<unknown> = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  43, // CursorNotFound: its server is gone
  64, // WriteConcernTimeout: not on a majority yet
  89, // NetworkTimeout
  91, // ShutdownInProgress
  134, // ReadConcernMajorityNotAvailableYet
  175, // QueryPlanKilled
  189, // PrimarySteppedDown
  237, // CursorKilled
  251, // NoSuchTransaction: lost with its primary
  262, // ExceededTimeLimit
  9001, // SocketException
  10058, // LegacyNotPrimary
  10107, // NotWritablePrimary
  11600, // InterruptedAtShutdown
  11602, // InterruptedDueToReplStateChange
  13435, // NotPrimaryNoSecondaryOk
  13436, // NotPrimaryOrSecondary
]);

/** Labels of errors after which a command may be repeated. */
const UNAVAILABLE_LABELS = [
  'TransientTransactionError',
  'UnknownTransactionCommitResult',
  'RetryableWriteError',
  'PoolRequestedRetry',
  'ResumableChangeStreamError',
];

/** Errors of the driver itself: no server, a lost or refused connection, none free in time, a closed client. */
const UNAVAILABLE_NAMES: ReadonlySet<string> = new Set([
  'MongoServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoPoolClearedError',
  'MongoPoolClearedOnNetworkError',
  'MongoPoolClosedError',
  'MongoWaitQueueTimeoutError',
  'MongoOperationTimeoutError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoClientClosedError',
  'MongoExpiredSessionError',
]);

/** Node's socket errors, which the driver passes on if a connection closes while it writes. */
const SOCKET_CODES: ReadonlySet<unknown> = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
]);

/**
 * Whether an error means that the database is unreachable or changing its primary, so that the caller may retry. Decides by
 * the labels, code and name of the error and of the errors it wraps.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, cause, errorResponse } = error as { code?: unknown; cause?: unknown; errorResponse?: unknown };
  if (SOCKET_CODES.has(code)) return true;
  if (error instanceof mongoose.mongo.MongoError) {
    const known = UNAVAILABLE_NAMES.has(error.name) || UNAVAILABLE_CODES.has(code);
    if (known || UNAVAILABLE_LABELS.some((label) => error.hasErrorLabel(label))) return true;
  }
  // Mongoose buffers commands while there is no primary, and gives up after a time.
  if (error instanceof mongoose.Error && /buffering timed out/.test(error.message)) return true;
  // A bulk write wraps the error or the server's answer of its failed command.
  const wrapped = (errorResponse as { code?: unknown } | undefined)?.code;
  return UNAVAILABLE_CODES.has(wrapped) || isUnavailable(errorResponse) || isUnavailable(cause);
}

/** Whether a transaction had a write conflict or lost its primary, and may be retried from its start. */
export const isContention = (error: unknown): boolean =>
  error instanceof mongoose.mongo.MongoError && error.hasErrorLabel('TransientTransactionError');

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
