import { mkdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import mongoose from 'mongoose';
import { findBinary, MONGOD, REDIS } from './find-binary.ts';
import { externalServer, type LocalServer, startLocalServer } from './local-server.ts';

export type LocalServices = Awaited<ReturnType<typeof startServices>>;

/**
 * A MongoDB and a Redis, ready for use: those that MONGODB_URI and REDIS_URL name, otherwise our own, which exit with
 * this process even after SIGKILL. Any number of pairs may run side by side.
 */
export async function startServices(options: Pick<MongoOptions, 'log' | 'env' | 'cacheSizeGB'> = {}) {
  const outcomes = await Promise.allSettled([startMongo(options), startRedis(options)]);
  const [mongo, redis] = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : null));
  /** Stops what was started here, and only that. May be called twice. */
  const stop = async () => void (await Promise.all([mongo?.stop(), redis?.stop()]));
  if (mongo && redis) return { mongo, redis, stop };
  await stop();
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.message] : []));
  throw new Error(reasons.join('\n\n'));
}

type ServerOptions = {
  log?: (line: string) => void;
  env?: NodeJS.ProcessEnv;
  /** Starts one of our own even when the environment names one: for tests that kill it. */
  own?: boolean;
  /** More arguments, such as `['--maxmemory', '20mb']`. */
  args?: readonly string[];
};

/**
 * A Redis or Valkey: the one REDIS_URL names, or one of our own on 127.0.0.1 with the eviction policy that BullMQ
 * needs. Throws when no server can be found or started.
 */
export async function startRedis(options: ServerOptions = {}): Promise<LocalServer> {
  const { log = () => {}, env = process.env, own = false, args = [] } = options;
  if (env.REDIS_URL && !own) {
    log('Redis: using REDIS_URL');
    return externalServer('redis', env.REDIS_URL);
  }
  const binary = await findBinary(REDIS, { log, env });
  const server = await startLocalServer({
    name: 'redis',
    command: binary.path,
    args(port, directory) {
      const settings = {
        bind: '127.0.0.1',
        port,
        dir: directory,
        daemonize: 'no',
        'maxmemory-policy': 'noeviction',
        appendonly: 'yes',
        save: '',
      };
      return [...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, `${value}`]), ...args];
    },
    uri: (port) => `redis://127.0.0.1:${port}`,
    isReady,
    empty(directory) {
      for (const file of ['appendonlydir', 'appendonly.aof', 'dump.rdb']) {
        rmSync(join(directory, file), { recursive: true, force: true });
      }
    },
  });
  log(`Redis: started on port ${server.port}`);
  return server;
}

async function isReady(port: number, pid: number): Promise<boolean> {
  const redis = new Redis({ host: '127.0.0.1', port, lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => {});
  try {
    await redis.connect();
    // Another server may have won the race for this port; ours is about to end then.
    return (await redis.info('server')).includes(`process_id:${pid}\r\n`);
  } catch {
    return false;
  } finally {
    redis.disconnect();
  }
}

/** `cacheSizeGB`: WiredTiger's cache, at least 0.25; 0.5 by default. */
type MongoOptions = ServerOptions & { cacheSizeGB?: number };

type MongoClient = mongoose.mongo.MongoClient;

const REPLICA_SET = 'rs0';
const ALREADY_INITIALIZED = 23;
const PRIMARY_LIMIT_MS = 15_000;

/**
 * A MongoDB that can do transactions: the one MONGODB_URI names, or a one-node replica set of our own on 127.0.0.1,
 * which is primary when this resolves. Throws when no mongod can be found or started.
 */
export async function startMongo(options: MongoOptions = {}): Promise<LocalServer> {
  const { log = () => {}, env = process.env, own = false } = options;
  if (env.MONGODB_URI && !own) {
    log('MongoDB: using MONGODB_URI');
    return externalServer('mongod', env.MONGODB_URI);
  }
  const server = await startMember(options, (direct, port) => becomesPrimary(direct, [port]));
  log(`MongoDB: started on port ${server.port}`);
  return server;
}

/**
 * One mongod of a replica set, on 127.0.0.1. Resolves once it answers and `isReady` does, after each restart too.
 * @param isReady is given a client of this mongod alone
 */
export async function startMember(
  { log = () => {}, env = process.env, cacheSizeGB = 0.5, args = [] }: MongoOptions,
  isReady: (direct: MongoClient, port: number) => Promise<unknown> = async () => {},
): Promise<LocalServer> {
  const binary = await findBinary(MONGOD, { log, env });
  return startLocalServer({
    name: 'mongod',
    command: binary.path,
    args(port, directory) {
      const data = join(directory, 'data');
      mkdirSync(data, { recursive: true });
      return [
        '--quiet',
        '--nounixsocket',
        '--bind_ip=127.0.0.1',
        `--port=${port}`,
        `--dbpath=${data}`,
        `--replSet=${REPLICA_SET}`,
        `--wiredTigerCacheSizeGB=${cacheSizeGB}`,
        '--setParameter=diagnosticDataCollectionEnabled=false',
        // By default a replica set member waits 15 s before it stops.
        '--setParameter=shutdownTimeoutMillisForSignaledShutdown=100',
        ...args,
      ];
    },
    uri: (port) => replicaSetUri([port]),
    async isReady(port, pid) {
      // The driver waits half a second between its own tries, a bare connection may be tried every few milliseconds.
      if (!(await accepts(port))) return false;
      return withMember(port, async (direct) => {
        const status = await direct.db('admin').command({ serverStatus: 1, metrics: 0, wiredTiger: 0, repl: 0 });
        // Another mongod may have won the race for this port; ours is about to end then.
        if (Number(status.pid) !== pid) return false;
        await isReady(direct, port);
        return true;
      });
    },
    empty: (directory) => rmSync(join(directory, 'data'), { recursive: true, force: true }),
  });
}

/** The address of a replica set whose members listen on these ports. */
export const replicaSetUri = (ports: readonly number[]): string =>
  `mongodb://${ports.map(hostOf).join(',')}/schoolbell?replicaSet=${REPLICA_SET}`;

const hostOf = (port: number): string => `127.0.0.1:${port}`;

/** Asks the member on this port, whatever its state. */
export async function withMember<T>(port: number, ask: (direct: MongoClient) => Promise<T>): Promise<T> {
  const direct = new mongoose.mongo.MongoClient(`mongodb://${hostOf(port)}/?directConnection=true`, {
    serverSelectionTimeoutMS: 5_000,
  });
  try {
    return await ask(direct);
  } finally {
    await direct.close();
  }
}

/** Makes a replica set of the members on these ports, unless they are one, and waits until this one is its primary. */
export async function becomesPrimary(direct: MongoClient, ports: readonly number[], settings: object = {}) {
  const members = ports.map((port, _id) => ({ _id, host: hostOf(port) }));
  await direct
    .db('admin')
    .command({ replSetInitiate: { _id: REPLICA_SET, members, settings } })
    .catch((error: { code?: number }) => {
      if (error.code !== ALREADY_INITIALIZED) throw error;
    });
  // A connection to the set would look again only half a second later.
  const until = Date.now() + PRIMARY_LIMIT_MS;
  while (!(await direct.db('admin').command({ hello: 1 })).isWritablePrimary) {
    if (Date.now() > until) throw new Error('no primary was elected');
    await delay(10);
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
