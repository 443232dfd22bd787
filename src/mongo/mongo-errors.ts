import mongoose from 'mongoose';

/**
 * Codes with which a server says that it is not, or no longer, the one to ask, or that it gave up on a question for that
 * reason (error_codes.yml of MongoDB).
 */
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
  251, // NoSuchTransaction: it went with its primary
  262, // ExceededTimeLimit
  9001, // SocketException
  10058, // LegacyNotPrimary
  10107, // NotWritablePrimary
  11600, // InterruptedAtShutdown
  11602, // InterruptedDueToReplStateChange
  13435, // NotPrimaryNoSecondaryOk
  13436, // NotPrimaryOrSecondary
]);

/** Labels that drivers and servers give to what may be asked again. */
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

/** Of Node: a connection that closes while the driver writes to it fails with the bare error of its socket. */
const SOCKET_CODES: ReadonlySet<unknown> = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
]);

/**
 * Whether an error means that the database can't be reached or is changing its primary: the caller may ask again. The one
 * place that decides so, by the error's labels, code and kind, and by those of the errors it wraps.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, cause, errorResponse } = error as { code?: unknown; cause?: unknown; errorResponse?: unknown };
  if (SOCKET_CODES.has(code)) return true;
  if (error instanceof mongoose.mongo.MongoError) {
    const known = UNAVAILABLE_NAMES.has(error.name) || UNAVAILABLE_CODES.has(code);
    if (known || UNAVAILABLE_LABELS.some((label) => error.hasErrorLabel(label))) return true;
  }
  // Mongoose keeps questions back while there is no primary, and gives up after a time.
  if (error instanceof mongoose.Error && /buffering timed out/.test(error.message)) return true;
  // A bulk write wraps what its command failed with, which is an error or an answer of the server.
  const wrapped = (errorResponse as { code?: unknown } | undefined)?.code;
  return UNAVAILABLE_CODES.has(wrapped) || isUnavailable(errorResponse) || isUnavailable(cause);
}

/** Whether a transaction lost against another one, or its primary, and may be tried again from its start. */
export const isContention = (error: unknown): boolean =>
  error instanceof mongoose.mongo.MongoError && error.hasErrorLabel('TransientTransactionError');
