import { readConfig } from './config.ts';
import { isBehind, laterOf } from './kernel/epoch.ts';
import { epochMemory } from './queues/epoch-memory.ts';
import { openDatabase } from './stores/database.ts';
import { epochStore } from './stores/epoch-store.ts';
import { acceptEpoch, fileMemory } from './wiring/epoch.ts';
import { queueSettings } from './wiring/queues.ts';
import { isStarted } from './worker.ts';

/** Tells how old the database is and what is remembered of it, or accepts it as it is. @returns the line to print */
export async function epochCommand(env: NodeJS.ProcessEnv, accept: boolean): Promise<string> {
  const config = readConfig(env, ['mongo', 'redis']);
  const database = await openDatabase(config.mongo.uri, { poolSize: 2 });
  const redis = epochMemory(queueSettings(config));
  const memories = config.epochFile ? [redis, fileMemory(config.epochFile)] : [redis];
  try {
    const store = epochStore(database);
    if (accept) {
      const { epoch } = await acceptEpoch(store, memories);
      return `accepted: epoch ${epoch}; the workers go on within SWEEP_MS`;
    }
    const known = await store.read();
    const remembered = (await Promise.all(memories.map((memory) => memory.read().catch(() => null)))).reduce(
      laterOf,
      null,
    );
    const told = (one: typeof known) =>
      one ? `epoch ${one.epoch}, at work until ${one.beat.toISOString()}` : 'nothing';
    const held = isBehind(known, remembered) ? '; workers hold until it is accepted' : '';
    return `database: ${told(known)}; remembered: ${told(remembered)}${held}`;
  } finally {
    await redis.close();
    await database.close();
  }
}

/** `npm run epoch -- [accept]` */
if (isStarted('src/epoch')) {
  const [what, ...more] = process.argv.slice(2);
  try {
    if (more.length > 0 || (what !== undefined && what !== 'accept')) throw new Error('there is: accept');
    process.stdout.write(`${await epochCommand(process.env, what === 'accept')}\n`);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  }
}
