import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { compareVersions, parseVersion } from './binary-version.ts';

/** Our own cache for this platform: `$XDG_CACHE_HOME/schoolbell/linux-x64`, or the same under `~/.cache`. */
export function cacheDirectory(env: NodeJS.ProcessEnv): string {
  const base = env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache');
  return join(base, 'schoolbell', `${process.platform}-${process.arch}`);
}

/** The cached binaries of this name (`mongod-6.0.5`, …) as full paths, newest version first. */
export async function listCached(name: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const directory = cacheDirectory(env);
  const files = await readdir(directory).catch(() => []);
  const versionOf = (file: string) => parseVersion(file.slice(name.length + 1));
  return files
    .filter((file) => file.startsWith(`${name}-`) && /^\d+\.\d+\.\d+$/.test(file.slice(name.length + 1)))
    .sort((a, b) => compareVersions(versionOf(b), versionOf(a)))
    .map((file) => join(directory, file));
}

/** Calls `work` with an empty directory beside the cached binaries, and removes that directory at the end. */
export async function withIncoming<T>(env: NodeJS.ProcessEnv, work: (directory: string) => Promise<T>): Promise<T> {
  const cache = cacheDirectory(env);
  await mkdir(cache, { recursive: true });
  const directory = await mkdtemp(join(cache, '.incoming-'));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * Moves a binary from an incoming directory into the cache and answers its new path. The move is one rename:
 * concurrent starts both succeed, and no process ever sees half a file.
 */
export async function keepBinary(file: string, name: string, version: string, env: NodeJS.ProcessEnv): Promise<string> {
  const cached = join(cacheDirectory(env), `${name}-${version}`);
  await rename(file, cached);
  return cached;
}
