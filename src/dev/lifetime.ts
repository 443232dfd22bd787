import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

/** Lets a command on a developer's machine end in order. */
export type Lifetime = {
  /** Aborted when the command is to end. */
  readonly signal: AbortSignal;
  /** Registers `close` for the end; the latest is called first. */
  onEnd(close: () => Promise<unknown>): void;
  /** Resolves on SIGINT, SIGTERM or SIGHUP. */
  untilStopped(): Promise<void>;
};

/** npm forwards Ctrl-C, so the process receives SIGINT twice. */
const ECHO_MS = 1_000;
const SETTLE_MS = 3_000;
const CLOSE_MS = 15_000;
const UNREF = { ref: false };

/**
 * Runs a command until it returns or receives SIGINT, SIGTERM or SIGHUP, then closes all registered parts in reverse order.
 * A second signal, or a close that hangs, exits at once; child processes exit with this process.
 * @param main resolves to the exit code
 */
export async function runUntilStopped(main: (lifetime: Lifetime) => Promise<number>): Promise<never> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const open: (() => Promise<unknown>)[] = [];
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  let code = 1;
  let first: { name: NodeJS.Signals; at: number } | null = null;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (first && (first.name !== name || performance.now() - first.at > ECHO_MS)) process.exit(1);
      first ??= { name, at: performance.now() };
      code = 128 + constants.signals[name];
      stopping.abort();
    });
  }
  const run = main({ signal, onEnd: (close) => void open.push(close), untilStopped: () => stopped }).then(
    (answer) => {
      code = answer;
    },
    (error: unknown) => {
      // A stop aborts running requests; their errors say nothing.
      if (!signal.aborted) process.stderr.write(`\n${error instanceof Error ? error.message : error}\n`);
    },
  );
  await Promise.race([run, stopped.then(() => Promise.race([run, delay(SETTLE_MS, undefined, UNREF)]))]);
  stopping.abort();
  await Promise.race([closeAll(open), delay(CLOSE_MS, undefined, UNREF)]);
  process.exit(code);
}

async function closeAll(open: (() => Promise<unknown>)[]): Promise<void> {
  for (let close = open.pop(); close; close = open.pop()) {
    await close().catch((error: Error) => process.stderr.write(`${error.message}\n`));
  }
}

export type RunOptions = { once: boolean; metrics: boolean; port?: number };

/** Reads the options of `npm run demo` and `npm run dev`; null after printing the usage. */
export function readRunOptions(usage: string): RunOptions | null {
  try {
    const { values } = parseArgs({
      options: {
        ...(usage.includes('--once') ? { once: { type: 'boolean', default: false } as const } : {}),
        metrics: { type: 'boolean', default: false },
        port: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    const { once, metrics = false, port, help } = values as Partial<RunOptions> & { port?: string; help?: boolean };
    if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) < 65_536))
      throw new Error('--port must be a number from 1 to 65535');
    if (!help) return { once: once ?? false, metrics, ...(port ? { port: Number(port) } : {}) };
    process.stdout.write(usage);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}`);
    process.exitCode = 1;
  }
  return null;
}
