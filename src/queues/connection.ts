import { Redis, type RedisOptions } from 'ioredis';

/** Where the queues live: one Redis or Valkey, one prefix for all keys of this installation. */
export type QueueSettings = { url: string; prefix: string };

const RECONNECT_MS = 500;

/**
 * A connection for asking and adding: a command fails within a second or two when Redis is away instead of waiting for
 * its return (BullMQ's `add` would hang).
 */
export function producerConnection({ url }: QueueSettings): Redis {
  return quiet(
    new Redis(url, { ...common, enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: 2_000 }),
  );
}

/** A connection for a worker, which waits for Redis as long as it takes. */
export function consumerConnection({ url }: QueueSettings): Redis {
  return quiet(new Redis(url, { ...common, maxRetriesPerRequest: null }));
}

const common: RedisOptions = {
  retryStrategy: () => RECONNECT_MS,
  connectTimeout: 2_000,
};

// Without a listener every lost connection would end the process; workers report it through their own error event.
function quiet(redis: Redis): Redis {
  return redis.on('error', () => {});
}

/** Resolves when commands can be sent. */
export async function isReady(redis: Redis): Promise<void> {
  if (redis.status !== 'ready') await new Promise<void>((resolve) => redis.once('ready', resolve));
}

/** Settles within `ms`, whatever the other side does. @throws after that */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('Redis did not answer in time')), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
