import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { within as raceWithin } from '../core/within.ts';

/** One Redis or Valkey, and one prefix for all keys of this installation. */
export type QueueSettings = { url: string; prefix: string };

const RECONNECT_MS = 500;

/**
 * A connection for queries and for adding jobs: a command fails within two seconds if Redis is unreachable, because
 * BullMQ's `add` would otherwise hang.
 */
export function producerConnection({ url }: QueueSettings): Redis {
  return connect(url, { ...common, enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: 2_000 });
}

/** A connection for a worker, which waits for Redis without a limit. */
export function consumerConnection({ url }: QueueSettings): Redis {
  return connect(url, { ...common, maxRetriesPerRequest: null });
}

const common: RedisOptions = {
  retryStrategy: () => RECONNECT_MS,
  connectTimeout: 2_000,
};

/** Whether a REDIS_URL names a node of a cluster. All keys then need one hash tag, because BullMQ writes several at once. */
export const isCluster = (url: string): boolean => new URL(url).searchParams.get('cluster') === 'true';

function connect(url: string, options: RedisOptions): Redis {
  if (!isCluster(url)) return quiet(new Redis(url, options));
  const { hostname: host, port, username, password, protocol } = new URL(url);
  const login = { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  const tls = protocol === 'rediss:' ? { tls: {} } : {};
  const cluster = new Cluster([{ host, port: Number(port || 6379) }], {
    redisOptions: { ...options, ...(password ? login : {}), ...tls },
    enableOfflineQueue: options.enableOfflineQueue ?? true,
    clusterRetryStrategy: () => RECONNECT_MS,
  });
  return quiet(cluster as unknown as Redis);
}

// Without a listener a lost connection would end the process; workers report it through their own error event.
function quiet(redis: Redis): Redis {
  return redis.on('error', () => {});
}

/** Resolves when commands can be sent. */
export async function isReady(redis: Redis): Promise<void> {
  if (redis.status !== 'ready') await new Promise<void>((resolve) => redis.once('ready', resolve));
}

/** @throws Error if `work` does not finish within `ms` */
export const within = <T>(ms: number, work: Promise<T>): Promise<T> =>
  raceWithin(ms, work, () => {
    throw new Error('Redis did not answer in time');
  });
