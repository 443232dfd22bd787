import type { LocalServer } from './local-server.ts';
import { type MongoOptions, startMongo } from './mongo.ts';
import { startRedis } from './redis.ts';

export type { LocalServer } from './local-server.ts';
export { type MongoOptions, startMongo } from './mongo.ts';
export { type RedisOptions, startRedis } from './redis.ts';

export interface LocalServices {
  mongodbUri: string;
  redisUrl: string;
  mongo: LocalServer;
  redis: LocalServer;
  /** Stops what was started here, and only that. May be called twice. */
  stop(): Promise<void>;
}

/**
 * A MongoDB and a Redis, ready for use: those that MONGODB_URI and REDIS_URL name, otherwise our own, which exit with
 * this process even after SIGKILL. Any number of pairs may run side by side.
 */
export async function startServices(
  options: Pick<MongoOptions, 'log' | 'env' | 'cacheSizeGB'> = {},
): Promise<LocalServices> {
  const [mongo, redis] = await Promise.allSettled([startMongo(options), startRedis(options)]);
  if (mongo.status === 'rejected' || redis.status === 'rejected') {
    const reasons: Error[] = [];
    for (const outcome of [mongo, redis]) {
      if (outcome.status === 'rejected') reasons.push(outcome.reason);
      else await outcome.value.stop();
    }
    throw reasons.length === 1 ? reasons[0] : new Error(reasons.map(({ message }) => message).join('\n\n'));
  }
  return {
    mongodbUri: mongo.value.uri,
    redisUrl: redis.value.uri,
    mongo: mongo.value,
    redis: redis.value,
    stop: async () => {
      await Promise.all([mongo.value.stop(), redis.value.stop()]);
    },
  };
}
