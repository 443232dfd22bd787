import { Pool } from 'undici';
import { startChild } from './child.ts';
import { repeat } from './repeat.ts';

/** Requests to send; targets, paths, bodies and tokens are used round robin. */
export type Load = {
  /** POST when not given */
  method?: string;
  /** as many as there are tokens when not given */
  count?: number;
  origins: string[];
  paths: string[];
  /** an empty one is none */
  bodies?: string[];
  tokens: string[];
  /** requests in progress at the same time, over all targets */
  inFlight: number;
};

type LoadResult = { ms: number; p50: number; p99: number; statuses: Record<string, number> };

/** Sends the load from its own process, so that clients do not share an event loop with the measurement. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const child = startChild('./load.ts', { args: ['--load'] });
  try {
    return await new Promise((resolve, reject) => {
      child.on('message', (message) => resolve(message as LoadResult));
      child.on('exit', (code) => reject(new Error(`the load ended with ${code}`)));
      child.send(load);
    });
  } finally {
    child.kill();
  }
}

async function send({
  method = 'POST',
  origins,
  paths,
  bodies = [''],
  tokens,
  inFlight,
  ...load
}: Load): Promise<LoadResult> {
  const connections = Math.ceil(inFlight / origins.length);
  const pools = origins.map((origin) => new Pool(origin, { connections, pipelining: 1 }));
  const { count = tokens.length } = load;
  const took: number[] = [];
  const statuses: Record<string, number> = {};
  const ms = await repeat(count, inFlight, async (n) => {
    const pool = pools[n % pools.length] as Pool;
    const text = bodies[n % bodies.length];
    const from = performance.now();
    const { statusCode, body } = await pool.request({
      method: method as 'POST',
      path: paths[n % paths.length] as string,
      headers: {
        authorization: `Bearer ${tokens[n % tokens.length]}`,
        ...(text ? { 'content-type': 'application/json' } : {}),
      },
      body: text || null,
    });
    await body.dump();
    took.push(performance.now() - from);
    statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
  });
  await Promise.all(pools.map((pool) => pool.close()));
  took.sort((a, b) => a - b);
  const at = (part: number) => took[Math.min(took.length - 1, Math.floor(took.length * part))] ?? 0;
  return { ms, p50: at(0.5), p99: at(0.99), statuses };
}

if (process.argv.includes('--load') && process.send) {
  process.once('message', async (load) => {
    process.send?.(await send(load as Load));
  });
}
