import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { cached } from '../core/cached.ts';
import { within } from '../core/clock.ts';
import { type CommonConfig, type Config, type ConfigNeed, readConfig } from './config/config.ts';
import { createLog, describeError, withoutAddresses } from './log.ts';
import type { Tracer } from './tracing/tracer.ts';

/** A part of a process: a connection, a server, a consumer, a loop. */
export type Part = {
  readonly name: string;
  /** Starts no new work. Called for all parts before the first one is closed, so that they end together. */
  stop?(): void;
  /** Closes the part after its running work has finished. */
  close(): Promise<void>;
  /** `ok`, or the reason why it can't work now (without addresses). */
  ready?(): Promise<'ok' | string>;
  /** Information for operators that does not affect readiness, by subject. */
  details?(): Record<string, string>;
  /** time limit of `close`; 10 s by default */
  readonly closeWithinMs?: number;
};

/** A function that opens a part of a process once, for all who need it. */
export function oncePerProcess<Context extends object, T>(open: (context: Context) => T): (context: Context) => T {
  const opened = new WeakMap<Context, T>();
  return (context) => {
    const known = opened.get(context) ?? open(context);
    opened.set(context, known);
    return known;
  };
}

type Readiness = { ready: boolean; parts: Record<string, string>; details: Record<string, string> };

/** The context that a process passes to its parts. */
export type ProcessContext<N extends ConfigNeed = never> = {
  readonly name: string;
  readonly config: Config<N>;
  /** `log.info({ ...ids }, 'delivery.sent')`: named events with ids */
  readonly log: Logger;
  /** served under /metrics */
  readonly metrics: Registry;
  /** null: traces are off */
  readonly tracer: Tracer | null;
  /** Takes over a started part: includes it in readiness, stops it with all others and closes it in reverse order. */
  own<P extends Part>(part: P): P;
  readiness(): Promise<Readiness>;
};

/** A process with the settings that it needs. */
export type ProcessDefinition<N extends ConfigNeed> = {
  name: string;
  needs: readonly N[];
  start(context: ProcessContext<N>): Promise<void>;
};

/** The environment does not allow a start; only the message is logged. */
export class BootRefused extends Error {
  override readonly name = 'BootRefused';
}

/** For the error of a server that could not listen, for example because its port is in use. @throws BootRefused */
export const refuseAddress =
  (port: 'PORT' | 'METRICS_PORT') =>
  (error: Error): never => {
    throw new BootRefused(`${port} or HOST can’t be used: ${error.message}`);
  };

const CLOSE_WITHIN_MS = 10_000;
const READY_WITHIN_MS = 2_000;
/** Readiness is public, so parts are queried at most once a second. */
const READY_KEPT_MS = 1_000;
/** npm forwards a terminal's Ctrl-C, so that the process gets it twice. */
const ECHO_MS = 1_000;

/**
 * Runs a process: environment, log, metrics, health, signals and an orderly end. `start` opens the parts one after the other,
 * passes each to `own` and resolves when all are running.
 *
 * SIGTERM and SIGINT stop all parts, close them in reverse order and exit with 0, or with 1 after SHUTDOWN_MS or a second
 * signal. An uncaught error exits with 1 immediately, because the state of the process is unknown.
 */
export async function runProcess<const N extends ConfigNeed>({ name, needs, start }: ProcessDefinition<N>) {
  let config: Config<N>;
  try {
    config = readConfig(process.env, needs);
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
  // The demo or test that forked this process has ended, so no one else would end it.
  process.once('disconnect', () => stoppingSince ?? stop('disconnect'));
  if (process.connected === false) stop('disconnect');

  const askParts = cached(READY_KEPT_MS, () =>
    Promise.all(parts.map(async (part) => [part.name, await answerOf(part)] as const)),
  );
  const readiness = async (): Promise<Readiness> => {
    // A part that is being closed is no fault of its server.
    const answers = state === 'stopping' ? [] : await askParts();
    const ready = state === 'started' && answers.every(([, answer]) => answer === 'ok');
    const byName: Record<string, string> = { process: state };
    // Of several parts with one name a faulty one is shown.
    for (const [part, answer] of answers) if ((byName[part] ?? 'ok') === 'ok') byName[part] = answer;
    const details = Object.assign({}, ...parts.map((part) => part.details?.() ?? {})) as Record<string, string>;
    return { ready, parts: byName, details };
  };
  const own = <P extends Part>(part: P): P => {
    parts.push(part);
    // A signal came during the start: closes this part with the others and starts no further part.
    if (stoppingSince) {
      part.stop?.();
      throw new Error('the process is stopping');
    }
    return part;
  };

  try {
    if (config.metricsPort > 0) await serveMetrics(config, metrics, readiness, log);
    const onLost = (why: string) => log.warn({ why }, 'traces.not_sent');
    const tracer =
      config.tracing && own((await import('./tracing/open-telemetry.ts')).openTelemetry(name, config.tracing, onLost));
    await start({ name, config, log, metrics, tracer, own, readiness });
  } catch (error) {
    // A start that still runs may fail because its parts are being closed.
    return stoppingSince ? undefined : refuse(log, error);
  }
  if (stoppingSince) return;
  state = 'started';
  log.info({ ms: Math.round(process.uptime() * 1000) }, 'process.started');
}

function refuse(log: Logger, error: unknown): never {
  const known = error instanceof Error && ['ConfigError', 'BootRefused', 'ConnectionRefused'].includes(error.name);
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
  // Exits explicitly, because a socket that still tries to reach a lost Redis would keep the process running.
  process.exit(0);
}

async function closeInTime(part: Part, log: Logger): Promise<void> {
  try {
    const isClosed = part.close().then(() => true);
    if (!(await within(part.closeWithinMs ?? CLOSE_WITHIN_MS, isClosed, () => false)))
      log.warn({ part: part.name }, 'part.abandoned');
  } catch (error) {
    log.error({ part: part.name, error }, 'part.failed');
  }
}

const answerOf = (part: Part): Promise<string> =>
  within(READY_WITHIN_MS, (async () => (await part.ready?.()) ?? 'ok')(), () => 'no answer').catch((error) =>
    error instanceof Error ? error.name : 'failed',
  );

/** How often the delay of the event loop is measured: the default of 10 ms costs an idle process 0.7 % of a core. */
const LAG_EVERY_MS = 100;

async function serveMetrics(
  { host, metricsPort }: CommonConfig,
  metrics: Registry,
  readiness: () => Promise<Readiness>,
  log: Logger,
): Promise<void> {
  collectDefaultMetrics({ register: metrics, eventLoopMonitoringPrecision: LAG_EVERY_MS });
  new Gauge({
    name: 'schoolbell_ready',
    help: 'Whether each part of the process can work now: 1 or 0',
    labelNames: ['part'],
    registers: [metrics],
    async collect() {
      const { parts } = await readiness();
      this.reset();
      for (const [part, answer] of Object.entries(parts))
        this.set({ part }, Number(answer === 'ok' || answer === 'started'));
    },
  });
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
  // Rejects if the server can't listen.
  await once(server.listen(metricsPort, host), 'listening').catch(refuseAddress('METRICS_PORT'));
  log.info({ port: metricsPort }, 'process.metrics');
}
