import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

/** A MongoDB or Redis for this process. A server given by the environment has no pid and is never stopped. */
export type LocalServer = {
  readonly uri: string;
  /** 0 when the server isn't ours. */
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
};

type ServerKind = {
  name: string;
  command: string;
  args(port: number, directory: string): string[];
  uri(port: number): string;
  /** Resolves true when the server with this pid serves on this port, false when it doesn't yet. May throw. */
  isReady(port: number, pid: number): Promise<boolean>;
  /** Removes the data from the directory of a server that is down. */
  empty(directory: string): void;
};

/** A busy machine takes a minute; a server that can't start exits immediately. */
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
    port: 0,
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
  const started = startWatched({ command: kind.command, args: kind.args(port, directory), directory, outputFile });
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
  const reason = started.isRunning() ? `was not ready after ${START_LIMIT_MS} ms (${lastError})` : 'ended immediately';
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

type WatchedProcess = ReturnType<typeof startWatched>;

// The shell becomes the command itself (exec), so the pid is the command's own. Before that it leaves a watchdog
// behind: a subshell, reparented to init by the double fork, that reads a pipe whose other end only we hold. One line
// means the command has ended; end of file means that this process has died, and the command is killed.
const SCRIPT = `
directory=$1; shift
pid=$$
( (
  trap '' INT TERM HUP QUIT
  read -r line && exit
  kill -9 "$pid"; rm -rf "$directory"
) <&3 >/dev/null 2>&1 & )
exec "$@" </dev/null 3<&-
`;

/**
 * Starts a command in `directory` that can't outlive this process, not even when this one is killed with -9; in that
 * case `directory` is removed too. It runs in a session of its own, so that Ctrl-C doesn't reach it before
 * we end it in order. What it prints is appended to `outputFile`. It doesn't keep this process alive.
 */
export function startWatched(options: {
  command: string;
  args: readonly string[];
  directory: string;
  outputFile: string;
}) {
  const output = openSync(options.outputFile, 'a');
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'sh', options.directory, options.command, ...options.args], {
    cwd: options.directory,
    detached: true,
    stdio: ['ignore', output, output, 'pipe'],
    // mongod refuses to start under a locale that the machine doesn't have.
    env: { ...process.env, LC_ALL: 'C' },
  });
  closeSync(output);
  const leash = child.stdio[3] as Writable & { unref(): void };
  leash.on('error', () => {});

  let running = child.pid !== undefined;
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    const settle = (code: number | null, signal: NodeJS.Signals | null) => {
      running = false;
      leash.end('\n');
      resolve({ code, signal });
    };
    child.once('exit', settle);
    child.once('error', () => settle(null, null));
  });
  child.unref();
  leash.unref();

  return {
    pid: child.pid ?? -1,
    /** Settles when the process is gone. */
    exited,
    isRunning: () => running,
    /** Sends the signal and resolves when the process is gone; after 5 s it is killed. */
    async end(signal: NodeJS.Signals): Promise<void> {
      if (!running) return;
      child.ref();
      child.kill(signal);
      const killer = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await exited;
      clearTimeout(killer);
    },
  };
}

/**
 * A free TCP port on 127.0.0.1. Another process may take it before you do: be ready to retry.
 *
 * It lies below the ports that the kernel gives to outgoing connections. A client that keeps reconnecting to a
 * server which is down could be given such a port as its own and connect to itself.
 */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(15_000, 32_000);
    if (await isFree(port)) return port;
  }
  throw new Error('no free port between 15000 and 32000 on 127.0.0.1');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
