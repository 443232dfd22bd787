// Builds unless the last build is newer than its sources. Plain JavaScript, since `npm run demo` and `npm run dev` run it
// before there is built code. A second demo waits for the build of the first.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const TOP = fileURLToPath(new URL('../../', import.meta.url));
const INPUTS = ['src', 'workers', 'templates', 'tsconfig.json', 'vite.config.ts', 'package.json', 'package-lock.json'];
const DONE = `${TOP}dist/.built`;
const BUSY = `${TOP}dist/.building`;

const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

// Folders count too: taking a file away changes nothing but them.
const newest = (path) =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory()
    ? Math.max(changedAt(path), ...readdirSync(path).map((name) => newest(`${path}/${name}`)))
    : changedAt(path);

const isStale = () => changedAt(DONE) < Math.max(...INPUTS.map((name) => newest(`${TOP}${name}`)));

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Whether the process named in the lock file still builds; a fresh lock file may be empty. */
function isBusy() {
  try {
    const builder = Number(readFileSync(BUSY, 'utf8'));
    return builder > 0 ? isRunning(builder) : Date.now() - changedAt(BUSY) < 2_000;
  } catch {
    return false;
  }
}

async function acquireLock() {
  mkdirSync(`${TOP}dist`, { recursive: true });
  for (;;) {
    try {
      return writeFileSync(BUSY, String(process.pid), { flag: 'wx' });
    } catch {
      if (isBusy()) await delay(100);
      else rmSync(BUSY, { force: true });
    }
  }
}

if (isStale()) {
  await acquireLock();
  process.on('exit', () => rmSync(BUSY, { force: true }));
  if (isStale()) {
    const began = new Date();
    process.stdout.write('Building, since the sources have changed …\n');
    const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: TOP, encoding: 'utf8' });
    if (status !== 0) {
      process.stderr.write(`${stdout}${stderr}`);
      process.exit(status ?? 1);
    }
    writeFileSync(DONE, '');
    // Sources that changed during the build are not in it.
    utimesSync(DONE, began, began);
    process.stdout.write(`Built in ${((Date.now() - began.getTime()) / 1000).toFixed(1)} s.\n`);
  }
}
