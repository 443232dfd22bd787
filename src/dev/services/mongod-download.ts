import { spawn } from 'node:child_process';
import { copyFile, readdir, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { lastLine } from './run-command.ts';

const STALLED_MS = 5_000;

// In a process of its own: the library offers no way to give up on a download that hangs.
const DOWNLOAD = `
require(process.argv[1]).MongoBinary.getPath({ downloadDir: process.argv[2] }).then(
  (file) => process.stdout.write(file),
  (error) => { process.stderr.write(String(error.message)); process.exit(1); },
);
`;

/**
 * Lets mongodb-memory-server download its mongod into `directory`. Answers the file, or in words why not.
 * Gives up when nothing has arrived for `stalledMs`, so an offline machine loses seconds at most, while a
 * slow line may finish.
 */
export async function downloadMongod(
  directory: string,
  env: NodeJS.ProcessEnv,
  stalledMs = STALLED_MS,
): Promise<{ file: string } | { problem: string }> {
  let library: string;
  try {
    library = createRequire(import.meta.url).resolve('mongodb-memory-server-core');
  } catch {
    return { problem: 'mongodb-memory-server-core is not installed' };
  }

  const child = spawn(process.execPath, ['-e', DOWNLOAD, library, directory], {
    env: { ...env, NODE_OPTIONS: '', MONGOMS_DOWNLOAD_DIR: directory, MONGOMS_MAX_RETRIES: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });

  let arrived = 0;
  const watch = setInterval(async () => {
    const size = await sizeOf(directory);
    if (size === arrived) child.kill('SIGKILL');
    arrived = size;
  }, stalledMs);
  const code = await new Promise<number | null>((resolve) => {
    child.on('close', resolve);
    child.on('error', () => resolve(null));
  });
  clearInterval(watch);

  if (code === null) return { problem: `nothing arrived for ${stalledMs} ms` };
  if (code !== 0) return { problem: lastLine(stderr) };
  // The library may answer with a binary it found elsewhere; that one is not ours to move away.
  const file = join(directory, 'mongod');
  await copyFile(stdout, file);
  return { file };
}

async function sizeOf(directory: string): Promise<number> {
  const files = await readdir(directory, { recursive: true }).catch(() => []);
  const sizes = files
    .filter((file) => !file.endsWith('.lock'))
    .map((file) =>
      stat(join(directory, file)).then(
        ({ size }) => size,
        () => 0,
      ),
    );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
