import { execFile } from 'node:child_process';

export interface CommandResult {
  /** True when the command ended by itself with exit code 0. */
  ok: boolean;
  stdout: string;
  stderr: string;
}

/**
 * Runs a command to its end and never throws: a missing command, a non-zero code and a run over `timeoutMs`
 * (then killed) all answer `ok: false`, with what is known in `stderr`.
 */
export function runCommand(
  command: string,
  args: readonly string[],
  options: { timeoutMs: number; env?: NodeJS.ProcessEnv },
): Promise<CommandResult> {
  return new Promise((resolve) => {
    execFile(
      command,
      args,
      { timeout: options.timeoutMs, killSignal: 'SIGKILL', env: options.env ?? process.env, maxBuffer: 1 << 24 },
      (error, stdout, stderr) => {
        const reason = error?.killed ? `gave up after ${options.timeoutMs} ms` : (error?.message ?? '');
        resolve({ ok: error === null, stdout, stderr: stderr.trim() === '' ? reason : stderr });
      },
    );
  });
}

/** The last line of a text that says something, cut to 200 characters. */
export function lastLine(text: string): string {
  return (text.trimEnd().split('\n').at(-1) ?? '').trim().slice(0, 200);
}
