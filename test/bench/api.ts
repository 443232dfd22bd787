import { type System, startSystem } from '../../src/dev/system.ts';
import { type Database, openDatabase } from '../../src/mongo/database.ts';
import { startOwnServices } from './services.ts';
import { type Usage, usageOf } from './usage.ts';

/** One API process on a database of its own, without workers. */
export type Api = System & { database: Database; usage(): Record<string, Usage>; end(): Promise<void> };

export async function startApi(name: string): Promise<Api> {
  const services = await startOwnServices();
  const mongodbUri = services.mongodbUri.replace(/\/([^/?]*)(\?|$)/, `/bench-${name}$2`);
  const system = await startSystem({ mongodbUri, redisUrl: services.redisUrl, start: ['api'] });
  const database = await openDatabase(mongodbUri);
  return {
    ...system,
    database,
    usage: () => ({
      ...Object.fromEntries(system.processes.map((one) => [one.name, usageOf(one.pid)])),
      mongod: usageOf(services.mongo.pid ?? 0),
    }),
    async end() {
      await database.close();
      await system.stop();
      await services.stop();
    },
  };
}
