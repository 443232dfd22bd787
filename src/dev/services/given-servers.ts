import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import mongoose from 'mongoose';
import type { LocalServices } from './services.ts';

/**
 * Names an unused database for this run alone; `drop` deletes it from servers that keep running. The name is also the prefix of
 * all keys in Redis, so that servers may be shared.
 */
export function isolateServers({ mongo, redis }: LocalServices) {
  const mongodbUri = freshDatabaseUri(mongo.uri);
  return {
    mongodbUri,
    redisUrl: redis.uri,
    async drop(): Promise<void> {
      await Promise.all([
        ...(mongo.pid === undefined ? [dropDatabase(mongodbUri)] : []),
        ...(redis.pid === undefined ? [dropKeys(redis.uri, /\/(sb_\w+)/.exec(mongodbUri)?.[1] ?? '')] : []),
      ]);
    },
  };
}

async function dropDatabase(uri: string): Promise<void> {
  const client = new mongoose.mongo.MongoClient(uri, { serverSelectionTimeoutMS: 2_000 });
  try {
    await client.db().dropDatabase();
  } finally {
    await client.close();
  }
}

async function dropKeys(url: string, database: string): Promise<void> {
  const redis = new Redis(url, { retryStrategy: () => null, connectTimeout: 2_000 });
  redis.on('error', () => {});
  try {
    for await (const keys of redis.scanStream({ match: `schoolbell-${database}:*` }))
      if (keys.length > 0) await redis.unlink(keys);
  } finally {
    redis.disconnect();
  }
}

/** The same servers and options, but a database of its own: `mongodb://host/sb_1a2b3c4d5e6f?replicaSet=rs0`. */
export function freshDatabaseUri(baseUri: string): string {
  const parts = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/.exec(baseUri);
  if (!parts) throw new Error('not a MongoDB URI');
  const [, servers = '', database = '', query = ''] = parts;
  const options = new URLSearchParams(query);
  // MongoDB authenticates against the database of the URI by default, and this function replaces that database.
  if (servers.includes('@') && !options.has('authSource')) options.set('authSource', database || 'admin');
  return `${servers}/sb_${randomBytes(6).toString('hex')}${options.size > 0 ? `?${options}` : ''}`;
}
