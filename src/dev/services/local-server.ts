import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startWatched, type WatchedProcess } from '../watched-process.ts';
import { findFreePort } from './free-port.ts';

/** A MongoDB or Redis for this process. A server given by the environment has no pid and is never stopped. */
export interface LocalServer {
  readonly uri: string;
  readonly port: number;
  /** The server's own pid, a new one after `restart`; undefined when the server isn't ours. */
  readonly pid: number | undefined;
  /** Where its files are; undefined when the server isn't ours. */
  readonly directory: string | undefined;
  /** SIGTERM, SIGKILL after 5 s; removes its files. May be called twice. */
  stop(): Promise<void>;
  /** Sends SIGKILL by default and keeps the files. Rejects when the server isn't ours. */
  kill(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Restarts on the same port with the same files, or with none when `empty`. Rejects when the server isn't ours. */
  restart(options?: { signal?: 'SIGTERM' | 'SIGKILL'; empty?: boolean }): Promise<void>;
}

export interface ServerKind {
  name: string;
  command: string;
  args(port: number, directory: string): string[];
  uri(port: number): string;
  /** Resolves true when the server with this pid serves on this port, false when it doesn't yet. May throw. */
  isReady(port: number, pid: number): Promise<boolean>;
  /** Removes the data from the directory of a server that is down. */
  empty(directory: string): void;
}

/** A busy machine takes a minute; a server that can't start exits at once. */
const START_LIMIT_MS = 120_000;
const PORT_ATTEMPTS = 5;

/** Starts a server on a free port of 127.0.0.1 with its files in a fresh temporary directory; resolves when it serves. */
export async function startLocalServer(kind: ServerKind): Promise<LocalServer> {
  const directory = mkdtempSync(join(tmpdir(), `schoolbell-${kind.name}-`));
  try {
    for (let attempt = 1; ; attempt++) {
      const port = await findFreePort();
      const outcome = await launch(kind, port, directory);
      if ('process' in outcome) return handle(kind, port, directory, outcome.process);
      if (!outcome.portTaken || attempt === PORT_ATTEMPTS) throw new Error(outcome.problem);
    }
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}

/** A server given by the environment. */
export function externalServer(name: string, uri: string): LocalServer {
  const refuse = async () => {
    throw new Error(`this ${name} was given by the environment, it isn't ours to end`);
  };
  return {
    uri,
    port: Number(/:(\d+)(?:[/?,]|$)/.exec(uri.replace(/^[^@]*@/, ''))?.[1] ?? (name === 'mongod' ? 27017 : 6379)),
    pid: undefined,
    directory: undefined,
    stop: async () => {},
    kill: refuse,
    restart: refuse,
  };
}

type Launch = { process: WatchedProcess } | { problem: string; portTaken: boolean };

async function launch(kind: ServerKind, port: number, directory: string): Promise<Launch> {
  const outputFile = join(directory, 'output.log');
  const started = startWatched({
    command: kind.command,
    args: kind.args(port, directory),
    directory,
    outputFile,
  });
  const deadline = Date.now() + START_LIMIT_MS;
  let lastError = '';
  while (started.isRunning() && Date.now() < deadline) {
    const ready = await kind.isReady(port, started.pid).catch((error: Error) => {
      lastError = error.message;
      return false;
    });
    if (ready && started.isRunning()) return { process: started };
    await Promise.race([started.exited, delay(10)]);
  }
  const reason = started.isRunning() ? `was not ready after ${START_LIMIT_MS} ms (${lastError})` : 'ended at once';
  await started.end('SIGKILL');
  const output = readFileSync(outputFile, 'utf8').slice(-2_000);
  return { problem: `${kind.name} ${reason}: ${output}`, portTaken: /already in use/i.test(output) };
}

function handle(kind: ServerKind, port: number, directory: string, first: WatchedProcess): LocalServer {
  let current = first;
  let stopped = false;
  return {
    uri: kind.uri(port),
    port,
    directory,
    get pid() {
      return current.pid;
    },
    async stop() {
      stopped = true;
      await current.end('SIGTERM');
      rmSync(directory, { recursive: true, force: true });
    },
    kill: (signal = 'SIGKILL') => current.end(signal),
    async restart({ signal = 'SIGTERM', empty = false } = {}) {
      if (stopped) throw new Error(`${kind.name} has been stopped`);
      await current.end(signal);
      if (empty) kind.empty(directory);
      const outcome = await launch(kind, port, directory);
      if ('problem' in outcome) throw new Error(outcome.problem);
      current = outcome.process;
    },
  };
}
