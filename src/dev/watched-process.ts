import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Writable } from 'node:stream';

export interface WatchedProcess {
  readonly pid: number;
  /** Settles when the process is gone. */
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  isRunning(): boolean;
  /** Sends the signal and resolves when the process is gone; after `patienceMs` it is killed. */
  end(signal: NodeJS.Signals, patienceMs?: number): Promise<void>;
}

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
}): WatchedProcess {
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
    exited,
    isRunning: () => running,
    async end(signal, patienceMs = 5_000) {
      if (!running) return;
      child.ref();
      child.kill(signal);
      const killer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
      await exited;
      clearTimeout(killer);
    },
  };
}
