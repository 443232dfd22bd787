import { readFileSync } from 'node:fs';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { within as raceWithin } from '../core/clock.ts';
import { networkFault } from '../core/network-fault.ts';
import { parseRedisUrl, type RedisUrl } from './redis-url.ts';

/** One Redis or Valkey, and one prefix for all keys of this installation. */
export type QueueSettings = {
  url: string;
  prefix: string;
  /** called when a connection is ready, and at each try to connect it again */
  onConnection?: (connection: Redis, isThere: boolean) => void;
};

const RECONNECT_MS = 500;

/**
 * A connection for queries and for adding jobs: a command fails within two seconds if Redis is unreachable, because
 * BullMQ's `add` would otherwise hang.
 */
export function producerConnection(settings: QueueSettings): Redis {
  return connect(settings, { ...COMMON, enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: 2_000 });
}

/** A connection for a worker, which waits for Redis without a limit. */
export function consumerConnection(settings: QueueSettings): Redis {
  return connect(settings, { ...COMMON, maxRetriesPerRequest: null });
}

/**
 * A connection that a firewall or a proxy has forgotten is never closed. It is opened anew if a command gets no answer for longer
 * than BullMQ waits for a job, which is 10 s at most.
 */
const SILENT_MS = 12_000;

const COMMON: RedisOptions = {
  retryStrategy: () => RECONNECT_MS,
  connectTimeout: 2_000,
  socketTimeout: SILENT_MS,
};

/** @throws Error if the file of the CA can't be read */
function connect({ url, onConnection }: QueueSettings, options: RedisOptions): Redis {
  const redis = open(url, options);
  // Without a listener a lost connection would end the process; workers report it through their own error event.
  redis.on('error', () => {});
  redis.on('ready', () => onConnection?.(redis, true));
  redis.on('reconnecting', () => onConnection?.(redis, false));
  return redis;
}

function open(url: string, connectionOptions: RedisOptions): Redis {
  const parts = parseRedisUrl(url);
  const { hosts, cluster, sentinel, sentinelPassword, db } = parts;
  const options = { ...connectionOptions, ...loginOf(parts), ...tlsOf(parts) };
  if (cluster) {
    const redis = new Cluster([...hosts], {
      redisOptions: options,
      enableOfflineQueue: options.enableOfflineQueue ?? true,
      clusterRetryStrategy: () => RECONNECT_MS,
    });
    return redis as unknown as Redis;
  }
  if (sentinel === null) return new Redis({ ...options, ...hosts[0], db });
  const { tls } = options;
  return new Redis({
    ...options,
    db,
    name: sentinel,
    sentinels: [...hosts],
    sentinelRetryStrategy: () => RECONNECT_MS,
    ...(sentinelPassword ? { sentinelPassword } : {}),
    ...(tls ? { sentinelTLS: tls, enableTLSForSentinelMode: true } : {}),
  });
}

const loginOf = ({ username, password }: RedisUrl) => (password ? { password, ...(username ? { username } : {}) } : {});

const tlsOf = ({ tls, caFile }: RedisUrl): Pick<RedisOptions, 'tls'> =>
  tls ? { tls: caFile === null ? {} : { ca: readCa(caFile) } } : {};

function readCa(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Error(redisFault([error]));
  }
}

/** One listener for all that wait for the same connection, because in an outage they are many. */
const becomingReady = new WeakMap<Redis, Promise<void>>();

/** Waits until commands can be sent. */
export async function waitUntilReady(redis: Redis): Promise<void> {
  if (redis.status === 'ready') return;
  const known = becomingReady.get(redis) ?? new Promise<void>((resolve) => redis.once('ready', resolve));
  becomingReady.set(redis, known);
  await known;
  becomingReady.delete(redis);
}

/** @throws Error if `work` does not finish within `ms` */
export const within = <T>(ms: number, work: Promise<T>): Promise<T> =>
  raceWithin(ms, work, () => {
    throw new Error('Redis did not answer in time');
  });

const NO_DATABASE = /DB index is out of range/i;

/** Whether the server has no database with the number of REDIS_URL; the driver then uses the database 0. */
export const isWrongDatabase = (error: unknown): boolean => error instanceof Error && NO_DATABASE.test(error.message);

type Answers = readonly (readonly [RegExp, string])[];

/** Answers of a Redis that can be read, but takes no writes. */
const REFUSES_WRITES: Answers = [
  [/^OOM /, 'Redis is full and takes no writes'],
  [/^MISCONF /, 'Redis can’t save its data and takes no writes'],
  [/^(READONLY|NOREPLICAS) /, 'Redis takes no writes: it is a replica, or lacks replicas'],
];

/** Answers of Redis and of its sentinels that an operator can mend; the first one that fits counts. */
const ANSWERS: Answers = [
  ...REFUSES_WRITES,
  [/WRONGPASS|invalid password|invalid username-password/i, 'Redis refuses the user or the password'],
  [/NOAUTH|Authentication required/i, 'Redis asks for a password, and the address has none'],
  [/NOPERM/i, 'the user lacks rights: it needs all keys, all channels and all commands but @admin'],
  [/cluster support disabled/i, 'the server is not a node of a cluster: remove cluster=true'],
  [/No such (master|primary) with that name|got an invalid reply: null/i, 'the sentinels do not know this name'],
  [NO_DATABASE, 'the server has no database with this number'],
  [/unknown command .?sentinel/i, 'the server is not a sentinel: remove sentinel'],
  [/^failed to connect to sentinel/, 'no sentinel answers'],
];

const wordsFor = (answers: Answers, errors: readonly Error[]): string | undefined =>
  answers.find(([pattern]) => errors.some(({ message }) => pattern.test(message)))?.[1];

const NO_ANSWER = 'Redis does not answer';

/** Why Redis can't be used, in words for an operator and without secrets. @param errors the latest first */
export function redisFault(errors: readonly unknown[]): string {
  const all = errors.flatMap(causesOf);
  const fault = wordsFor(ANSWERS, all) ?? all.map(networkFault).find((words) => words !== null);
  return `REDIS_URL: ${fault ?? NO_ANSWER}`;
}

/** Why a write failed, without addresses. */
export const writeFault = (error: unknown): string => wordsFor(ANSWERS, causesOf(error)) ?? NO_ANSWER;

/** Whether an error has no other cause than an outage: a lost connection, or a Redis that takes no writes. */
export const isOutage = (error: Error): boolean =>
  wordsFor(REFUSES_WRITES, [error]) !== undefined || networkFault(error) !== null || CLOSED.test(error.message);

const CLOSED = /^(Connection is closed|Socket timeout)/;

/** An error with those that the driver wraps: of a node of a cluster, of the attempt before. */
function causesOf(error: unknown): Error[] {
  if (!(error instanceof Error)) return [];
  const { lastNodeError, previousErrors } = error as Error & { lastNodeError?: unknown; previousErrors?: unknown[] };
  return [error, ...[error.cause, lastNodeError, ...(previousErrors ?? [])].flatMap(causesOf)];
}
