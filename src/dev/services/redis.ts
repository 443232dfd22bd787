import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findRedisServer } from './find-binary.ts';
import { externalServer, type LocalServer, startLocalServer } from './local-server.ts';

export interface RedisOptions {
  log?: (line: string) => void;
  env?: NodeJS.ProcessEnv;
  /** Starts one of our own even when REDIS_URL is set: for tests that kill it. */
  own?: boolean;
  /** Whether it keeps its data over a restart, true by default. */
  appendOnly?: boolean;
  /** More arguments, such as `['--maxmemory', '20mb']`. */
  args?: readonly string[];
}

/**
 * A Redis or Valkey: the one REDIS_URL names, or one of our own on 127.0.0.1 with the eviction policy that BullMQ
 * needs. Throws when no server can be found or started.
 */
export async function startRedis(options: RedisOptions = {}): Promise<LocalServer> {
  const { log = () => {}, env = process.env, own = false, appendOnly = true, args = [] } = options;
  if (env.REDIS_URL && !own) {
    log('Redis: using REDIS_URL');
    return externalServer('redis', env.REDIS_URL);
  }
  const binary = await findRedisServer({ log, env });
  const server = await startLocalServer({
    name: 'redis',
    command: binary.path,
    args: (port, directory) => [
      ...['--bind', '127.0.0.1', '--port', `${port}`, '--dir', directory, '--daemonize', 'no'],
      ...['--maxmemory-policy', 'noeviction', '--appendonly', appendOnly ? 'yes' : 'no', '--save', ''],
      ...args,
    ],
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
