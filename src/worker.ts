import { realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { ConfigNeed } from './config.ts';
import { type ProcessContext, runProcess } from './process.ts';

/** What a worker does, apart from what a process is. */
export type Worker<N extends ConfigNeed> = {
  name: string;
  needs: readonly N[];
  start(context: ProcessContext<N>): Promise<void>;
};

/** Declares a worker; its file, run by itself, becomes the process. @param url the file's `import.meta.url` */
export function defineWorker<const N extends ConfigNeed>(url: string, worker: Worker<N>): Worker<N> {
  if (isMain(url)) void runProcess(worker);
  return worker;
}

/** Whether this module is what node was started with. */
export function isMain(url: string): boolean {
  const [, started] = process.argv;
  return started !== undefined && pathToFileURL(realpathSync(started)).href === url;
}
