import { isStarted } from '../core/is-started.ts';
import type { ConfigNeed } from './config/config.ts';
import { type ProcessDefinition, runProcess } from './process.ts';

/** Defines a worker; starts it if its file is the main module. */
export function defineWorker<const N extends ConfigNeed>(worker: ProcessDefinition<N>): ProcessDefinition<N> {
  if (isStarted(`workers/${worker.name}`)) void runProcess(worker);
  return worker;
}
