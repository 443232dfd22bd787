import { fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export type LogLine = Record<string, unknown> & { level: string; msg: string; process: string };

export type Settings = Readonly<Record<string, string>>;

const LINES_KEPT = 2_000;
/** As in `npm start` and in the image: a small heap costs a few percent of speed. */
export const MEMORY = ['--max-semi-space-size=16', '--max-old-space-size=192'];

/**
 * Starts `api` or a worker by name from the built code. Its own process group keeps Ctrl-C away until it is stopped in
 * order; it exits when its IPC channel to this process closes.
 */
export function startProductProcess(
  name: string,
  settings: Settings,
  onLine: (line: LogLine) => void = () => {},
  build: URL = DIST,
) {
  const child = fork(scriptOf(name, build), [], {
    env: { ...inherited(), ...settings },
    execArgv: MEMORY,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  const lines: LogLine[] = [];
  const listeners = new Set<(line: LogLine) => void>([onLine]);
  const take = (text: string) => {
    const line = readLine(name, text);
    lines.push(line);
    if (lines.length > LINES_KEPT) lines.shift();
    for (const listener of listeners) listener(line);
  };
  for (const stream of [child.stdout, child.stderr])
    if (stream) createInterface({ input: stream }).on('line', (text) => text !== '' && take(text));
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  return {
    name,
    pid: child.pid ?? -1,
    /** where /metrics is served, if it is */
    metricsPort: Number(settings.METRICS_PORT) || null,
    /** its log so far, the latest lines */
    log: lines as readonly LogLine[],
    get isRunning() {
      return child.exitCode === null && child.signalCode === null;
    },
    exited,
    /** Resolves at the first line with this event, past or to come; rejects when the process ends without one. */
    waitForLog(event: string): Promise<LogLine> {
      const past = lines.find((line) => line.msg === event);
      if (past) return Promise.resolve(past);
      return new Promise((resolve, reject) => {
        const listener = (line: LogLine) => {
          if (line.msg !== event) return;
          listeners.delete(listener);
          resolve(line);
        };
        listeners.add(listener);
        void exited.then(({ code, signal }) => {
          const tail = lines
            .slice(-5)
            .map((line) => JSON.stringify(line))
            .join('\n');
          reject(new Error(`${name} ended (${signal ?? code}) without ${event}:\n${tail}`));
        });
      });
    },
    send: (signal: NodeJS.Signals) => void child.kill(signal),
    /** Sends SIGTERM and resolves when the process has exited. */
    async stop() {
      if (this.isRunning) child.kill('SIGTERM');
      await exited;
    },
  };
}

export type ProductProcess = ReturnType<typeof startProductProcess>;

const DIST = new URL(import.meta.url.endsWith('.ts') ? '../../dist/' : '../../', import.meta.url);

/** `dist/src/server.js` for the API, `dist/workers/NAME.js` for a worker. */
export const scriptOf = (name: string, build: URL = DIST): string =>
  fileURLToPath(new URL(name === 'api' ? 'src/server.js' : `workers/${name}.js`, build));

// Settings of the surrounding shell must not reach a process that is given its own.
const inherited = (): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, HOME: process.env.HOME, TZ: process.env.TZ });

function readLine(name: string, text: string): LogLine {
  try {
    return { level: 'info', process: name, ...JSON.parse(text) };
  } catch {
    return { level: 'error', process: name, msg: text };
  }
}
