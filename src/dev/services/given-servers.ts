import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import mongoose from 'mongoose';
import type { LocalServices } from './services.ts';

/** Databases for this run alone; `drop` deletes them from servers that keep running. */
export type IsolatedServers = { mongodbUri: string; redisUrl: string; drop(): Promise<void> };

const NOTHING_TO_DROP: IsolatedServers['drop'] = async () => {};

/** Picks an unused database in servers that were given by the environment; servers that we started are used as they are. */
export async function isolateServers({ mongo, redis }: LocalServices): Promise<IsolatedServers> {
  const database =
    mongo.pid === undefined ? freshDatabase(mongo.uri) : { mongodbUri: mongo.uri, drop: NOTHING_TO_DROP };
  const numbered =
    redis.pid === undefined ? await emptyNumber(redis.uri) : { redisUrl: redis.uri, drop: NOTHING_TO_DROP };
  return {
    mongodbUri: database.mongodbUri,
    redisUrl: numbered.redisUrl,
    drop: async () => void (await Promise.all([database.drop(), numbered.drop()])),
  };
}

function freshDatabase(uri: string): Pick<IsolatedServers, 'mongodbUri' | 'drop'> {
  const name = `schoolbell_demo_${randomBytes(4).toString('hex')}`;
  const [, servers = uri, database, query] =
    /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/.exec(uri) ?? [];
  const options = new URLSearchParams(query);
  // MongoDB authenticates against the database of the URI by default, and this function replaces that database.
  if (servers.includes('@') && !options.has('authSource')) options.set('authSource', database || 'admin');
  const mongodbUri = `${servers}/${name}${options.size > 0 ? `?${options}` : ''}`;
  return {
    mongodbUri,
    async drop() {
      const client = new mongoose.mongo.MongoClient(mongodbUri, { serverSelectionTimeoutMS: 2_000 });
      try {
        await client.db(name).dropDatabase();
      } finally {
        await client.close();
      }
    },
  };
}

/** @throws where all of its databases are in use */
async function emptyNumber(url: string): Promise<Pick<IsolatedServers, 'redisUrl' | 'drop'>> {
  for (let number = 15; number >= 0; number--) {
    const redisUrl = url.replace(/^(rediss?:\/\/[^/?]+)(?:\/[^?]*)?/, `$1/${number}`);
    const isEmpty = await ask(redisUrl, async (redis) => {
      if ((await redis.dbsize()) > 0) return false;
      // A key marks the database as taken for a second demo that looks at the same time.
      return (await redis.set('schoolbell:demo', process.pid, 'NX')) === 'OK';
    }).catch(() => false);
    if (isEmpty) return { redisUrl, drop: () => ask(redisUrl, async (redis) => void (await redis.flushdb())) };
  }
  throw new Error('REDIS_URL: none of its databases 0 to 15 is empty, and the demo does not touch databases in use');
}

async function ask<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url, { retryStrategy: () => null, connectTimeout: 2_000 });
  redis.on('error', () => {});
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}
