import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const fileOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const COMMANDS = readdirSync(fileOf('src/cli'))
  .map((file) => file.replace('.ts', ''))
  .filter((name) => name !== 'run-command');

type Ended = { code: unknown; out: string; err: string };

const run = (path: string, args: string[] = [], settings: NodeJS.ProcessEnv = {}): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { ...process.env, ...settings };
    execFile(process.execPath, [fileOf(`dist/src/${path}.js`), ...args], { env }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err }),
    );
  });

test.each(COMMANDS)('npm run %s names an unknown argument, and explains itself', async (command) => {
  const { code, err } = await run(`cli/${command}`, ['--repare']);
  expect(code).not.toBe(0);
  expect(err).toMatch(command === 'restore-guard' ? /^expected accept/ : /^Unknown option '--repare'/);
  expect(err).toContain(`npm run ${command}`);
});

test('--help explains a command', async () => {
  expect(await run('cli/setup', ['--help'])).toEqual({
    code: 0,
    out: expect.stringContaining('npm run setup'),
    err: '',
  });
});

test.each(['', 'post', 'email sms'])('npm run worker starts nothing for "%s" and names the workers', async (names) => {
  const { code, err } = await run('worker', names.split(' ').filter(Boolean));
  expect(code).toBe(1);
  expect(err).toContain('relay, fan-out, email');
});

test.each([
  ['--file', '/no/people.csv', '--file can’t be read: ENOENT'],
  ['--confirm-left', '1.5', '--confirm-left must be a whole number'],
  ['--confirm-left', '', '--confirm-left must be a whole number'],
])('npm run import-roster names the argument %s with the value "%s"', async (name, value, fault) => {
  const args = ['--tenant', 'demo', '--school', 'lipova', name, value];
  const { code, err } = await run('cli/import-roster', args, { MONGODB_URI: 'mongodb://127.0.0.1:9/x' });
  expect({ code, fault: err.slice(0, fault.length) }).toEqual({ code: 2, fault });
});

test('npm run token prints no token without a user', async () => {
  const { code, out, err } = await run('cli/token', ['--user', '']);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(/^--user must not be empty\n/);
});

test.each([
  ['', 'set JWT_SECRET to the same values as for the API'],
  ['short', 'JWT_SECRET must be at least 32 bytes long'],
])('npm run token with the secret "%s" names the setting and the rule', async (secret, fault) => {
  const settings = { NODE_ENV: 'test', JWT_SECRET: secret, JWT_ISSUER: 'a', JWT_AUDIENCE: 'b' };
  expect(await run('cli/token', [], settings)).toEqual({ code: 1, out: '', err: `${fault}\n` });
});
