import { realpathSync } from 'node:fs';
import type { ConfigNeed } from './config/config.ts';
import { type ProcessDefinition, runProcess } from './process.ts';

/** Defines a worker; starts it if its file is the main module. */
export function defineWorker<const N extends ConfigNeed>(worker: ProcessDefinition<N>): ProcessDefinition<N> {
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
