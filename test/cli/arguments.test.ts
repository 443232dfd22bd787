import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const fileOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const COMMANDS = readdirSync(fileOf('src/cli'))
  .map((file) => file.replace('.ts', ''))
  .filter((name) => name !== 'run-command');

type Ended = { code: unknown; out: string; err: string };

const run = (command: string, argument: string): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(process.execPath, [fileOf(`dist/src/cli/${command}.js`), argument], (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err }),
    );
  });

test.each(COMMANDS)('npm run %s names an unknown argument, and explains itself', async (command) => {
  const { code, err } = await run(command, '--repare');
  expect(code).not.toBe(0);
  expect(err).toMatch(command === 'restore-guard' ? /^expected accept/ : /^Unknown option '--repare'/);
  expect(err).toContain(`npm run ${command}`);
});

test('--help explains a command', async () => {
  expect(await run('setup', '--help')).toEqual({ code: 0, out: expect.stringContaining('npm run setup'), err: '' });
});
