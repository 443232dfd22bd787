import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import mongoose from 'mongoose';
import { WORKERS } from '../../../src/queues/names.ts';
import { startProduct } from '../product.ts';
import { figure, oursOnly, type Run, usedBetween, type Workload } from '../workload.ts';

const CPU = '% of a core';
const MONGO = 'MongoDB commands/s';
const REDIS = 'Redis commands/s';
const MEMORY = 'MB of the largest process';

/** Longer than the start of all processes, some rounds of every periodic task, and until V8 gives back the memory of the start. */
const SETTLING_MS = 180_000;

/**
 * Everything runs and nothing is to do. Counts commands where they arrive, with the heartbeats of the driver and with those
 * that scripts in Redis run, and lists them.
 */
export const idle: Workload = {
  name: 'idle',
  about: 'the API, every worker and both databases with nothing to do',
  goals: [
    figure(CPU, { minimum: 3, goal: 2, lowerIsBetter: true }),
    figure(MONGO, { minimum: 10, goal: 5, lowerIsBetter: true }),
    figure(REDIS, { minimum: 20, goal: 10, lowerIsBetter: true }),
    figure(MEMORY, { minimum: 130, goal: 100, lowerIsBetter: true }),
  ],
  forms: { full: { count: 30, rounds: 3 }, short: null },
  async open({ count: seconds }) {
    // WhatsApp has no stand-in: its worker is started as the compose file does, and is off.
    const product = await startProduct(WORKERS);
    const redis = new Redis(product.env.REDIS_URL ?? '');
    const mongo = await mongoose.mongo.MongoClient.connect(product.env.MONGODB_URI ?? '');
    const look = async () => ({
      mongo: mongoCommands(await mongo.db('admin').command({ serverStatus: 1 })),
      redis: redisCommands(await redis.info('commandstats')),
      usage: product.usage(),
      at: performance.now(),
    });
    await delay(SETTLING_MS);
    return {
      raw: {},
      async ours(): Promise<Run> {
        const before = await look();
        await delay(seconds * 1_000);
        const after = await look();
        const ms = after.at - before.at;
        const rates = {
          mongo: ratesBetween(before.mongo, after.mongo, ms),
          redis: ratesBetween(before.redis, after.redis, ms),
        };
        console.table(rates.mongo);
        console.table(rates.redis);
        const percent = Object.entries(usedBetween(before.usage, after.usage))
          .filter(([name]) => name !== 'smtp sink')
          .map(([name, { cpuSeconds }]) => [`% ${name}`, (cpuSeconds * 100_000) / ms] as const);
        const figures = {
          [MEMORY]: Math.max(...oursOnly(after.usage).map(([, { mb }]) => mb)),
          [CPU]: total(percent.map(([, of]) => of)),
          [MONGO]: total(Object.values(rates.mongo)),
          [REDIS]: total(Object.values(rates.redis)),
          ...Object.fromEntries(percent),
        };
        return { count: 1, ms, figures };
      },
      async end() {
        redis.disconnect();
        await mongo.close();
        await product.end();
      },
    };
  },
};

type Counts = Record<string, number>;

const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

/** Without the benchmark's own question. */
function mongoCommands({ metrics }: { metrics?: { commands: Record<string, { total?: unknown }> } }): Counts {
  const counted = Object.entries(metrics?.commands ?? {}).map(([name, of]) => [name, Number(of.total ?? 0)]);
  return Object.fromEntries(counted.filter(([name]) => name !== 'serverStatus'));
}

function redisCommands(info: string): Counts {
  const lines = info.matchAll(/^cmdstat_(\S+?):calls=(\d+)/gm);
  return Object.fromEntries(
    [...lines].map(([, name, calls]) => [name, Number(calls)]).filter(([name]) => name !== 'info'),
  );
}

const ratesBetween = (before: Counts, after: Counts, ms: number): Counts =>
  Object.fromEntries(
    Object.entries(after)
      .map(([name, count]) => [name, ((count - (before[name] ?? 0)) * 1_000) / ms] as const)
      .filter(([, rate]) => rate > 0)
      .sort(([, a], [, b]) => b - a),
  );
