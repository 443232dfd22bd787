import { createServer, type Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { cached } from '../core/cached.ts';
import { type CommonConfig, type Config, type ConfigNeed, readConfig } from './config/config.ts';
import { createLog, describeError, withoutAddresses } from './log.ts';

/** Something a process holds: a connection, a server, a consumer, a loop. */
export type Part = {
  readonly name: string;
  /** Tells it to begin nothing new. Called for all parts before the first one is closed, so that they end together. */
  stop?(): void;
  /** Ends it in order; what is under way is awaited. */
  close(): Promise<void>;
  /** Whether it can do its work now, or in words why not (without an address in them). */
  ready?(): Promise<'ok' | string>;
  /** What its readiness doesn't hang on and people want to know, by what it is about. */
  details?(): Record<string, string>;
  /** how long `close` may take before the part is left as it is; 10 s where it says nothing */
  readonly closeWithinMs?: number;
};

export type Readiness = { ready: boolean; parts: Record<string, string>; details: Record<string, string> };

/** What a process gives to its parts. */
export type ProcessContext<N extends ConfigNeed = never> = {
  readonly config: Config<N>;
  /** `log.info({ ...ids }, 'delivery.sent')`: named events with ids */
  readonly log: Logger;
  /** served under /metrics */
  readonly metrics: Registry;
  /** Takes a started part over: it is asked for readiness, told to stop with all others and closed in reverse order. */
  own<P extends Part>(part: P): P;
  readiness(): Promise<Readiness>;
};

/** Thrown at start where the surroundings don't fit (delivery.md, "Boot"); its message is all that is told. */
export class BootRefused extends Error {
  override readonly name = 'BootRefused';
}

const CLOSE_WITHIN_MS = 10_000;
const READY_WITHIN_MS = 2_000;
/** Anyone may ask whether a process is ready: its parts are asked once a second at most. */
const READY_KEPT_MS = 1_000;
/** npm passes a terminal's Ctrl-C on, so that the process gets it twice. */
const ECHO_MS = 1_000;

/**
 * Runs a process from its first line to its last: environment, log, metrics, health, signals and an ordered end. `start`
 * opens the parts one after the other and hands each to `own`; it resolves when all are at work.
 *
 * SIGTERM and SIGINT tell all parts to stop, close them in reverse order and exit with 0, or with 1 when that takes longer than SHUTDOWN_MS
 * or a second signal comes. An error nobody caught exits with 1 at once: after it no orderly end can be claimed.
 */
export async function runProcess<const N extends ConfigNeed = never>(options: {
  name: string;
  needs: readonly N[];
  start(context: ProcessContext<N>): Promise<void>;
  env?: NodeJS.ProcessEnv;
}): Promise<void> {
  const { name, needs, start, env = process.env } = options;
  let config: Config<N>;
  try {
    config = readConfig(env, needs);
  } catch (error) {
    return refuse(createLog(name, 'info'), error);
  }
  const log = createLog(name, config.logLevel);
  const metrics = new Registry();
  metrics.setDefaultLabels({ process: name });
  const parts: Part[] = [];
  let state: 'starting' | 'started' | 'stopping' = 'starting';

  const crash = (error: unknown) => {
    log.fatal({ error }, 'process.crashed');
    process.exit(1);
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);

  let stoppingSince: { at: number; signal: string } | null = null;
  const stop = (signal: string) => {
    if (stoppingSince) {
      if (signal === stoppingSince.signal && performance.now() - stoppingSince.at < ECHO_MS) return;
      log.error({ signal }, 'process.forced');
      process.exit(1);
    }
    state = 'stopping';
    stoppingSince = { at: performance.now(), signal };
    log.info({ signal }, 'process.stopping');
    void closeAll(parts, config.shutdownMs, log);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // Forked by a demo or a test that is gone now, in whatever way: nobody else would end this process.
  process.once('disconnect', () => stoppingSince ?? stop('disconnect'));

  const askParts = cached(READY_KEPT_MS, () =>
    Promise.all(parts.map(async (part) => [part.name, await answerOf(part)] as const)),
  );
  const readiness = async (): Promise<Readiness> => {
    const answers = await askParts();
    const ready = state === 'started' && answers.every(([, answer]) => answer === 'ok');
    const told: Record<string, string> = { process: state };
    // Of parts with one name the one with a fault is told of.
    for (const [part, answer] of answers) if ((told[part] ?? 'ok') === 'ok') told[part] = answer;
    const details = Object.assign({}, ...parts.map((part) => part.details?.() ?? {})) as Record<string, string>;
    return { ready, parts: told, details };
  };
  const own = <P extends Part>(part: P): P => {
    parts.push(part);
    // A signal came in the midst of the start: this part is closed with the others, and no further one is begun.
    if (stoppingSince) {
      part.stop?.();
      throw new Error('the process is stopping');
    }
    return part;
  };

  try {
    if (config.metricsPort > 0) await serveMetrics(config, metrics, readiness, log);
    await start({ config, log, metrics, own, readiness });
  } catch (error) {
    // Parts that are being closed may well fail a start that was still under way.
    return stoppingSince ? undefined : refuse(log, error);
  }
  if (stoppingSince) return;
  state = 'started';
  log.info({ ms: Math.round(process.uptime() * 1000) }, 'process.started');
}

/** What a round of a loop returns if the next one should come at another time than usual. */
export type NextRound = { inMs: number };

/** Repeats `work`, never two rounds at once. A failed round is logged, and the next one comes after `everyMs`. */
export function loop(options: {
  name: string;
  everyMs: number;
  // biome-ignore lint/suspicious/noConfusingVoidType: most rounds return nothing
  work(signal: AbortSignal): Promise<NextRound | undefined | void>;
  log: Pick<Logger, 'error'>;
}): Part {
  const { name, everyMs, work, log } = options;
  const stopping = new AbortController();
  const { signal } = stopping;

  const rounds = (async () => {
    while (!signal.aborted) {
      const next = await work(signal).catch((error) => {
        if (!signal.aborted) log.error({ name, error }, 'loop.failed');
      });
      await delay(next?.inMs ?? everyMs, undefined, { signal }).catch(() => {});
    }
  })();

  const stop = () => stopping.abort();
  return {
    name,
    stop,
    /** Lets the current round end. */
    async close() {
      stop();
      await rounds;
    },
  };
}

function refuse(log: Logger, error: unknown): never {
  const known = error instanceof Error && (error.name === 'ConfigError' || error.name === 'BootRefused');
  log.fatal(known ? { why: error.message } : { why: describeError(error).message, error }, 'process.refused');
  process.exit(1);
}

async function closeAll(open: Part[], withinMs: number, log: Logger): Promise<never> {
  setTimeout(() => {
    log.error({ ms: withinMs, open: open.map(({ name }) => name) }, 'process.forced');
    process.exit(1);
  }, withinMs).unref();
  for (const part of open) part.stop?.();
  for (let part = open.at(-1); part; part = open.at(-1)) {
    await closeInTime(part, log);
    open.splice(open.indexOf(part), 1);
  }
  log.info('process.stopped');
  // Not left to run out: a socket that is still trying to reach a lost Redis would keep the process.
  process.exit(0);
}

async function closeInTime(part: Part, log: Logger): Promise<void> {
  try {
    const isClosed = part.close().then(() => true);
    if (!(await within(part.closeWithinMs ?? CLOSE_WITHIN_MS, isClosed, false)))
      log.warn({ part: part.name }, 'part.abandoned');
  } catch (error) {
    log.error({ part: part.name, error }, 'part.failed');
  }
}

const answerOf = (part: Part): Promise<string> =>
  within(READY_WITHIN_MS, (async () => (await part.ready?.()) ?? 'ok')(), 'no answer').catch((error) =>
    error instanceof Error ? error.name : 'failed',
  );

/** Resolves to `late` if `work` takes longer than `ms`. */
async function within<T>(ms: number, work: Promise<T>, late: T): Promise<T> {
  const done = new AbortController();
  try {
    return await Promise.race([work, delay(ms, late, { signal: done.signal }).catch(() => late)]);
  } finally {
    done.abort();
  }
}

async function serveMetrics(
  { host, metricsPort }: CommonConfig,
  metrics: Registry,
  readiness: () => Promise<Readiness>,
  log: Logger,
): Promise<Server> {
  collectDefaultMetrics({ register: metrics });
  const json = 'application/json';
  const answers = new Map<string, () => Promise<[status: number, type: string, body: string]>>([
    ['/metrics', async () => [200, metrics.contentType, await metrics.metrics()]],
    ['/health/live', async () => [200, json, '{"status":"ok"}']],
    [
      '/health/ready',
      async () => {
        const { ready, parts, details } = await readiness();
        const more = Object.keys(details).length > 0 ? { details } : {};
        const body = JSON.stringify({ status: ready ? 'ok' : 'not ready', parts, ...more });
        return [ready ? 200 : 503, json, withoutAddresses(body)];
      },
    ],
  ]);
  const server = createServer(async (request, response) => {
    const answer = answers.get(request.url?.split('?', 1)[0] ?? '');
    if (!answer || request.method !== 'GET') return void response.writeHead(404).end();
    try {
      const [status, type, body] = await answer();
      response.writeHead(status, { 'content-type': type }).end(body);
    } catch (error) {
      log.error({ error }, 'metrics.failed');
      response.writeHead(500).end();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(metricsPort, host, resolve);
  });
  log.info({ port: metricsPort }, 'process.metrics');
  return server;
}
