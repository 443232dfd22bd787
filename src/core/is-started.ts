import { realpathSync } from 'node:fs';

/**
 * Whether node was started with this file. Compares names, because a bundled module has no URL of its own.
 * @param path without extension, from the top of the sources
 */
export function isStarted(path: string): boolean {
  const [, started] = process.argv;
  return started !== undefined && /^(.*)\.[jt]s$/.exec(realpathSync(started))?.[1]?.endsWith(`/${path}`) === true;
}
