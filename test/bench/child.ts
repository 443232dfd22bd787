import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { listen } from '../support/listen.ts';

type Options = { args?: readonly string[]; env?: Readonly<Record<string, string>> };

/** A script of this folder in a process of its own, so that its CPU can be measured and its event loop is not shared. */
export const startChild = (file: string, { args = [], env = {} }: Options = {}): ChildProcess =>
  fork(fileURLToPath(new URL(file, import.meta.url)), args, {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, ...env },
  });

/** A server in a process of its own, which sends its address first. */
export async function startServer(file: string, options?: Options) {
  const child = startChild(file, options);
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return { url, child, stop: () => void child.kill() };
}

/** Called in the server's own file. The server ends with its parent. */
export async function listenForParent(server: Server, protocol: string): Promise<void> {
  process.once('disconnect', () => process.exit(0));
  process.send?.({ url: `${protocol}127.0.0.1:${await listen(server)}` });
}
