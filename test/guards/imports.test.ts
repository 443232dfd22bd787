import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser';
import { expect, test } from 'vitest';

const { options, ...ruleSet } = createRequire(import.meta.url)('../../.dependency-cruiser.cjs');

/** `npm run lint` checks the sources by these rules; this test proves each rule on a wrong sample. */
const TOP = new URL('../../', import.meta.url).pathname;

/** The violations in a folder, as file and rule. */
async function violationsIn(baseDir: string): Promise<string[]> {
  const cruiseOptions: ICruiseOptions = { ...options, ruleSet, validate: true, baseDir };
  const { output } = await cruise(['src', 'workers'], cruiseOptions);
  return (output as ICruiseResult).summary.violations.map(({ from, rule }) => `${from} ${rule.name}`);
}

/** A file of each layer that a wrong sample imports. */
const FILES: Record<string, string> = {
  'src/core/clock.ts': 'export const now = 1;',
  'src/events/event.ts': 'export type Event = {};',
  'src/events/second.ts': "import type { Event } from './first.ts'",
  'src/events/helpers/dates.ts': 'export const a = 1;',
  'src/http/app.ts': 'export const app = 1;',
  'src/app/process.ts': 'export const run = 1;',
  'src/dev/demo.ts': 'export const demo = 1;',
  'src/server.ts': "import './app/process.ts';",
  'workers/email.ts': "import '../src/app/process.ts';",
};

const WRONG: [rule: string, path: string, text: string][] = [
  ['core-layer', 'src/core/x.ts', "import type { Event } from '../events/event.ts'"],
  ['events-layer', 'src/events/a.ts', "import { app } from '../http/app.ts'"],
  ['events-layer', 'src/events/b.ts', "export const app = () => import('../http/app.ts')"],
  ['http-layer', 'src/http/x.ts', "export { run } from '../app/process.ts'"],
  ['app-layer', 'src/app/x.ts', "import { demo } from '../dev/demo.ts'"],
  ['events-packages', 'src/events/c.ts', "import { DateTime } from 'luxon'"],
  ['mongo-packages', 'src/mongo/x.ts', "import { Queue } from 'bullmq'"],
  ['pure-slices', 'src/people/x.ts', "import { readFileSync } from 'node:fs'"],
  ['entry-points', 'workers/x.ts', "import { demo } from '../src/dev/demo.ts'"],
  ['no-entry-point', 'src/app/y.ts', "import '../server.ts'"],
  ['telling-names', 'src/events/e.ts', "import './helpers/dates.ts'"],
  ['no-circle', 'src/events/first.ts', "import type { Event } from './second.ts'"],
  ['resolvable', 'src/events/d.ts', "import { gone } from './gone.ts'"],
];

test('each rule rejects a wrong sample', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'imports-'));
  try {
    symlinkSync(join(TOP, 'node_modules'), join(folder, 'node_modules'));
    const samples = WRONG.map(([, path, text]) => [path, `${text};`] as const);
    for (const [name, content] of [...Object.entries(FILES), ...samples]) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    const found = await violationsIn(folder);
    expect(WRONG.map(([rule, path]) => `${path} ${rule}`).filter((one) => !found.includes(one))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the browser client imports only packages, its own files, and types and checks made from the API', () => {
  const foreign = (path: string, text: string) =>
    [...text.matchAll(/\b(import type|import|from)\b[^;'"]*['"](\.[^'"]*|node:[^'"]*)['"]/g)].flatMap(
      ([line, , name = '']) => {
        const to = posix.join(posix.dirname(path), name);
        const isOfApi = (line.startsWith('import type') && to === 'dist/api.d.ts') || to === 'dist/validate-event.js';
        return (name.startsWith('.') && to.startsWith('src/web/')) || isOfApi ? [] : [`${path} imports ${name}`];
      },
    );
  const files = readdirSync(`${TOP}src/web`, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  expect(files.length).toBeGreaterThan(20);
  expect(files.flatMap((name) => foreign(`src/web/${name}`, readFileSync(`${TOP}src/web/${name}`, 'utf8')))).toEqual(
    [],
  );
  for (const text of [
    "import { a } from '../../events/event.ts'",
    "import 'node:fs'",
    "export { a } from '../../events/event.ts'",
    "const a = () => import('../../events/event.ts')",
    "import '../../../dist/api.d.ts'",
  ])
    expect(foreign('src/web/api/x.ts', text), text).toHaveLength(1);
});
