import { mkdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import mongoose from 'mongoose';
import { findMongod } from './find-binary.ts';
import { externalServer, type LocalServer, startLocalServer } from './local-server.ts';

export interface MongoOptions {
  log?: (line: string) => void;
  env?: NodeJS.ProcessEnv;
  /** Starts one of our own even when MONGODB_URI is set: for tests that kill it. */
  own?: boolean;
  /** WiredTiger's cache in GB, at least 0.25; 0.5 by default. */
  cacheSizeGB?: number;
  /** More arguments for mongod. */
  args?: readonly string[];
}

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
  const binary = await findMongod({ log, env });
  return startLocalServer({
    name: 'mongod',
    command: binary.path,
    args(port, directory) {
      const data = join(directory, 'data');
      mkdirSync(data, { recursive: true });
      return [
        ...['--bind_ip', '127.0.0.1', '--port', `${port}`, '--nounixsocket', '--quiet'],
        ...['--dbpath', data, '--replSet', REPLICA_SET, '--wiredTigerCacheSizeGB', `${cacheSizeGB}`],
        ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
        // By default a replica set member waits 15 s before it stops.
        ...['--setParameter', 'shutdownTimeoutMillisForSignaledShutdown=100'],
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
export async function becomesPrimary(
  direct: MongoClient,
  ports: readonly number[],
  settings: object = {},
): Promise<void> {
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
