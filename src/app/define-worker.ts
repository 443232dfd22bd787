import { realpathSync } from 'node:fs';
import type { ConfigNeed } from './config/config.ts';
import { type ProcessContext, runProcess } from './process.ts';

/** The definition of a worker, without the process that runs it. */
export type Worker<N extends ConfigNeed> = {
  name: string;
  needs: readonly N[];
  start(context: ProcessContext<N>): Promise<void>;
};

/** Defines a worker; starts it if its file is the main module. */
export function defineWorker<const N extends ConfigNeed>(worker: Worker<N>): Worker<N> {
  if (isStarted(`workers/${worker.name}`)) void runProcess(worker);
  return worker;
}

/**
 * Whether node was started with this file. Compares names, because a bundled module has no URL of its own.
 * @param path without extension, from the top of the sources
 */
export function isStarted(path: string): boolean {
  const [, started] = process.argv;
  return started !== undefined && /^(.*)\.[jt]s$/.exec(realpathSync(started))?.[1]?.endsWith(`/${path}`) === true;
}
