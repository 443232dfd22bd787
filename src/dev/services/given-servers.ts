import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import mongoose from 'mongoose';
import type { LocalServices } from './services.ts';

/** A place of one's own in the servers; `leave` takes what was written out of those that go on running. */
export type Corner = { mongodbUri: string; redisUrl: string; leave(): Promise<void> };

const OURS: Corner['leave'] = async () => {};

/** In servers that somebody else runs a database that nobody uses; our own are ours as they are. */
export async function cornerIn({ mongo, redis }: LocalServices): Promise<Corner> {
  const database = mongo.pid === undefined ? freshDatabase(mongo.uri) : { mongodbUri: mongo.uri, leave: OURS };
  const numbered = redis.pid === undefined ? await emptyNumber(redis.uri) : { redisUrl: redis.uri, leave: OURS };
  return {
    mongodbUri: database.mongodbUri,
    redisUrl: numbered.redisUrl,
    leave: async () => void (await Promise.all([database.leave(), numbered.leave()])),
  };
}

function freshDatabase(uri: string): Pick<Corner, 'mongodbUri' | 'leave'> {
  const name = `schoolbell_demo_${randomBytes(4).toString('hex')}`;
  const [, servers = uri, database, query] =
    /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/.exec(uri) ?? [];
  const options = new URLSearchParams(query);
  // A login is looked up in the database of the URI unless told otherwise, and that one is replaced here.
  if (servers.includes('@') && !options.has('authSource')) options.set('authSource', database || 'admin');
  const mongodbUri = `${servers}/${name}${options.size > 0 ? `?${options}` : ''}`;
  return {
    mongodbUri,
    async leave() {
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
async function emptyNumber(url: string): Promise<Pick<Corner, 'redisUrl' | 'leave'>> {
  for (let number = 15; number >= 0; number--) {
    const redisUrl = url.replace(/^(rediss?:\/\/[^/?]+)(?:\/[^?]*)?/, `$1/${number}`);
    const isEmpty = await ask(redisUrl, async (redis) => {
      if ((await redis.dbsize()) > 0) return false;
      // Whoever looks at the same time finds it taken.
      return (await redis.set('schoolbell:demo', process.pid, 'NX')) === 'OK';
    }).catch(() => false);
    if (isEmpty) return { redisUrl, leave: () => ask(redisUrl, async (redis) => void (await redis.flushdb())) };
  }
  throw new Error('REDIS_URL: none of its databases 0 to 15 is empty, and the demo leaves those in use alone');
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
