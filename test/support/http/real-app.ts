import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { CHANNEL_NEEDS, readConfig } from '../../../src/app/config/config.ts';
import { openHttp } from '../../../src/app/http.ts';
import { buildApp } from '../../../src/http/app.ts';
import type { HttpDeps } from '../../../src/http/deps.ts';
import type { Database } from '../../../src/mongo/database.ts';
import { openDatabase } from '../../../src/mongo/open-database.ts';
import { askOn, type Served, TOKENS } from './http-app.ts';

export type RealApp = {
  app: FastifyInstance;
  deps: HttpDeps;
  database: Database;
  ask: Served['ask'];
  /** Replaces methods of some stores, which the change may still call. @returns a function that puts them back */
  plant(change: (deps: HttpDeps) => Partial<HttpDeps>): () => void;
  close(): Promise<void>;
};

/** The HTTP server as the API process builds it, in this process and on a separate MongoDB database. */
export async function openRealApp(mongodbUri: string, redisUrl: string): Promise<RealApp> {
  const database = await openDatabase(mongodbUri, { poolSize: 5 });
  await database.setUp();
  const { secret: JWT_SECRET, issuer: JWT_ISSUER, audience: JWT_AUDIENCE } = TOKENS;
  const uris = {
    MONGODB_URI: mongodbUri,
    REDIS_URL: redisUrl,
    PUBLIC_URL: 'https://school.test',
    QUEUE_BOARD: 'on',
    FILES_DIR: join(tmpdir(), `schoolbell-real-${process.pid}`),
  };
  const env = { ...uris, JWT_SECRET, JWT_ISSUER, JWT_AUDIENCE };
  const closers: (() => Promise<unknown>)[] = [];
  const { deps, options } = await openHttp({
    name: 'api',
    config: readConfig(env, ['http', 'mongo', 'redis', 'files', 'webhooks', ...CHANNEL_NEEDS]),
    log: pino({ enabled: false }),
    metrics: new Registry(),
    tracer: null,
    readiness: async () => ({ ready: true, parts: {}, details: {} }),
    own: (part) => {
      if (part.close) closers.push(part.close);
      return part;
    },
  });
  const app = buildApp(deps, options);
  await app.ready();

  return {
    app,
    deps,
    database,
    ask: askOn(app),
    plant(change) {
      const stores = deps as unknown as Record<string, object>;
      const before = Object.fromEntries(Object.entries(stores).map(([name, store]) => [name, { ...store }]));
      const planted = Object.entries(change(before as unknown as HttpDeps));
      for (const [name, store] of planted) Object.assign(stores[name] ?? {}, store);
      return () => {
        for (const [name] of planted) Object.assign(stores[name] ?? {}, before[name]);
      };
    },
    async close() {
      await app.close();
      for (const close of closers.reverse()) await close();
      await database.close();
    },
  };
}
