import { setTimeout as delay } from 'node:timers/promises';
import mongoose from 'mongoose';
import { networkFault } from '../core/network-fault.ts';

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
const SOCKET_CODES = new Set<unknown>(['ECONNRESET', 'ECONNREFUSED', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT']);

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

const { MongoServerSelectionError, MongoServerError, MongoParseError, MongoMissingCredentialsError } = mongoose.mongo;

/** Answers of MongoDB to a login: 11 UserNotFound, 18 AuthenticationFailed, 33 of certificates. */
const LOGIN_CODES: ReadonlySet<unknown> = new Set([11, 18, 33]);

/** MongoDB can't be reached or refuses us at start; the message is for an operator and has no secrets. */
class ConnectionRefused extends Error {
  override readonly name = 'ConnectionRefused';
}

/** Why a process can't connect to MongoDB. */
export function connectionRefused(error: unknown): ConnectionRefused {
  return new ConnectionRefused(`MONGODB_URI: ${causeOf(error)}`, { cause: error });
}

function causeOf(error: unknown): string {
  if (error instanceof MongoServerSelectionError) return selectionFault(error);
  if (error instanceof MongoServerError && LOGIN_CODES.has(error.code))
    return 'MongoDB refuses the user, the password or the certificate (see also authSource)';
  if (error instanceof MongoServerError && error.code === 13) return 'the user has no rights on this database';
  if (error instanceof MongoMissingCredentialsError) return 'the user or the password is missing';
  // Messages of the parser may quote parts of the address.
  if (error instanceof MongoParseError)
    return /not supported|unescaped/.test(error.message) ? error.message : 'the address cannot be read';
  return srvFault(error) ?? networkFault(error) ?? 'MongoDB does not answer';
}

/** The first fault of a server of the address, or that none of them belongs to the replica set or is its primary. */
function selectionFault({ reason }: { reason?: mongoose.mongo.TopologyDescription }): string {
  const servers = [...(reason?.servers.values() ?? [])];
  for (const { error } of servers) if (error) return causeOf(error);
  const wanted = reason?.setName;
  if (wanted && servers.every(({ setName }) => setName !== wanted))
    return `no server of the address is a member of the replica set ${wanted}`;
  return 'the replica set has no primary';
}

function srvFault(error: unknown): string | null {
  if (!(error instanceof Error) || !/^querySrv /.test(error.message)) return null;
  return `there is no SRV record for ${(error as { hostname?: string }).hostname ?? 'the host'}`;
}
