import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const fileOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const COMMANDS = readdirSync(fileOf('src/cli'))
  .map((file) => file.replace('.ts', ''))
  .filter((name) => name !== 'run-command');

type Ended = { code: unknown; out: string; err: string };

const run = (path: string, ...args: string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(process.execPath, [fileOf(`dist/src/${path}.js`), ...args], (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err }),
    );
  });

test.each(COMMANDS)('npm run %s names an unknown argument, and explains itself', async (command) => {
  const { code, err } = await run(`cli/${command}`, '--repare');
  expect(code).not.toBe(0);
  expect(err).toMatch(command === 'restore-guard' ? /^expected accept/ : /^Unknown option '--repare'/);
  expect(err).toContain(`npm run ${command}`);
});

test('--help explains a command', async () => {
  expect(await run('cli/setup', '--help')).toEqual({ code: 0, out: expect.stringContaining('npm run setup'), err: '' });
});

test.each(['', 'post', 'email sms'])('npm run worker starts nothing for "%s" and names the workers', async (names) => {
  const { code, err } = await run('worker', ...names.split(' ').filter(Boolean));
  expect(code).toBe(1);
  expect(err).toContain('relay, fan-out, email');
});
