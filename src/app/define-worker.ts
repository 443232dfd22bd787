import { realpathSync } from 'node:fs';
import type { ConfigNeed } from './config/config.ts';
import { type ProcessContext, runProcess } from './process.ts';

/** What a worker does, apart from what a process is. */
export type Worker<N extends ConfigNeed> = {
  name: string;
  needs: readonly N[];
  start(context: ProcessContext<N>): Promise<void>;
};

/** Declares a worker; its file, run by itself, becomes the process. */
export function defineWorker<const N extends ConfigNeed>(worker: Worker<N>): Worker<N> {
  if (isStarted(`workers/${worker.name}`)) void runProcess(worker);
  return worker;
}

/**
 * Whether node was started with this file. By its name: where files are bundled, a module no longer has a URL of its own.
 * @param path without extension, from the top of the sources
 */
export function isStarted(path: string): boolean {
  const [, started] = process.argv;
  return started !== undefined && /^(.*)\.[jt]s$/.exec(realpathSync(started))?.[1]?.endsWith(`/${path}`) === true;
}
