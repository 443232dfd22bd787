import { posix } from 'node:path';
import { importsOf, type Source, takesDeps } from './sources.ts';

/** nouns: no verb of theirs · verbs: values only from verbs · all: anything */
type What = 'nouns' | 'verbs' | 'all';

type Row = {
  /** other folders of src it may import from, and what of them; a path with a slash is one file */
  from: Readonly<Record<string, What>>;
  /** `node:*` is all of Node, `*` is anything */
  packages: readonly string[];
  /** packages that only these files of the folder may import */
  only?: Readonly<Record<string, readonly string[]>>;
  /** imports by names that are computed */
  computed?: true;
};

const nouns = (...folders: string[]): Record<string, What> =>
  Object.fromEntries(folders.map((name) => [name, 'nouns']));
const each = (folders: readonly string[], what: What): Record<string, What> =>
  Object.fromEntries(folders.map((name) => [name, what]));

const SLICES = [
  'people',
  'facts',
  'events',
  'registrations',
  'ingest',
  'reminders',
  'notifications',
  'calendar',
  'statistics',
] as const;

const EDGES = ['http', 'stores', 'queues', 'channels'] as const;

const OF_A_PROCESS = {
  ...each(['wiring', 'process', 'config', 'queues', 'http/app.ts'], 'all'),
  ...each(['kernel', ...SLICES], 'verbs'),
};

/** The table of house.md. Everything in `kernel` counts as a noun. */
export const TABLE: Readonly<Record<string, Row>> = {
  kernel: { from: {}, packages: ['node:*', 'luxon', 'uuid'] },
  // node:crypto and node:url compute and reach nothing: links in messages are signed here, domains written in ASCII.
  people: { from: nouns('kernel'), packages: ['node:crypto', 'node:url'] },
  facts: { from: nouns('kernel', 'people'), packages: [] },
  events: { from: nouns('kernel', 'people', 'facts'), packages: [] },
  registrations: { from: nouns('kernel', 'people', 'facts', 'events'), packages: [] },
  ingest: { from: nouns('kernel', 'people', 'facts', 'events', 'registrations'), packages: [] },
  reminders: { from: nouns('kernel', 'people', 'facts', 'events'), packages: [] },
  notifications: {
    // calendar: a message carries its event as a calendar file.
    from: nouns('kernel', 'people', 'facts', 'events', 'registrations', 'calendar'),
    packages: [],
    // Dates are written out in words, in the language and zone of the reader.
    only: { luxon: ['content.ts', 'when.ts'] },
  },
  calendar: {
    from: nouns('kernel', 'people', 'facts', 'events', 'registrations'),
    packages: ['luxon'],
    // It computes and reaches nothing: the tokens of personal calendars are made here.
    only: { 'node:crypto': ['feed.ts'] },
  },
  statistics: { from: nouns('kernel', 'people', 'facts', 'events', 'registrations'), packages: [] },

  http: {
    from: { kernel: 'all', ...each(SLICES, 'all') },
    packages: ['node:*', 'fastify', '@fastify/*', 'typebox', 'jose'],
  },
  stores: { from: nouns('kernel', ...SLICES), packages: ['node:*', 'mongoose'] },
  queues: { from: nouns('kernel', ...SLICES), packages: ['node:*', 'bullmq', 'ioredis'] },
  channels: {
    from: nouns('kernel', 'people', 'notifications'),
    packages: ['node:*', 'nodemailer', 'twilio', 'web-push', 'undici', 'handlebars'],
    // It is slow and large: texts are compiled when the project is built.
    // What comes back by mail is read in one place.
    only: { mjml: ['compile-templates.ts'], 'postal-mime': ['mail-report.ts'] },
  },

  'setting-rules': { from: { 'people/push-endpoint.ts': 'all' }, packages: ['node:net'] },
  'setting-names': { from: {}, packages: [] },
  'setting-reader': { from: each(['setting-names', 'setting-rules'], 'all'), packages: [] },
  config: {
    from: each(['setting-names', 'setting-rules', 'setting-reader', 'people/push-endpoint.ts'], 'all'),
    packages: [],
  },
  process: { from: each(['kernel', 'config'], 'all'), packages: ['node:*', 'pino', 'prom-client'] },
  wiring: { from: each(['kernel', 'config', 'process', ...SLICES, ...EDGES], 'all'), packages: ['*'] },
  local: {
    from: each(['kernel', 'config', 'process', 'wiring', 'setup', ...SLICES, ...EDGES], 'all'),
    packages: ['*'],
  },

  // Processes, and what only they use.
  worker: { from: each(['config', 'process'], 'all'), packages: ['node:*'] },
  'channel-worker': { from: { worker: 'all', ...OF_A_PROCESS }, packages: [] },
  'run-worker': { from: each(['worker', 'process'], 'all'), packages: [], computed: true },
  setup: {
    from: each(['config', 'worker', 'stores/database.ts', 'stores/push-subscription-store.ts'], 'all'),
    packages: [],
  },
  'restore-guard': { from: each(['config', 'worker', 'kernel', 'queues', 'stores', 'wiring'], 'all'), packages: [] },
  audit: { from: each(['config', 'worker', 'registrations', 'stores'], 'all'), packages: [] },
  server: { from: OF_A_PROCESS, packages: ['node:*'] },
  workers: { from: { worker: 'all', 'channel-worker': 'all', ...OF_A_PROCESS }, packages: ['node:*'] },
};

/** The row a file falls under: its folder in src, its name right in src, or `workers`. */
const rowOf = (path: string): string =>
  path.startsWith('workers/') ? 'workers' : (path.split('/')[1] ?? '').replace(/\.ts$/, '');

const packageOf = (name: string): string =>
  name.startsWith('node:')
    ? name
    : name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/');

const covers = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

/** Every import that the table doesn't allow, in words. */
export function importFaults(sources: readonly Source[]): string[] {
  const files = new Map(sources.map((source) => [source.path, { ...source, imports: importsOf(source) }]));
  const target = (from: string, name: string) => posix.join(posix.dirname(from), name);

  const verbs = new Set(sources.filter((source) => isSlice(source.path) && takesDeps(source)).map(({ path }) => path));
  // A file that only passes a verb on is one as well.
  for (let before = -1; before < verbs.size; ) {
    before = verbs.size;
    for (const { path, imports } of files.values()) {
      const passesOn = imports.some(
        ({ name, isType, reExports }) => reExports && !isType && name && verbs.has(target(path, name)),
      );
      if (passesOn && isSlice(path)) verbs.add(path);
    }
  }

  const faults: string[] = [];
  for (const { path, imports } of files.values()) {
    const row = rowOf(path);
    const rules = TABLE[row];
    if (!rules) {
      faults.push(`${path}: ${row} has no row in the table`);
      continue;
    }
    for (const { name, isType } of imports) {
      if (name === null && rules.computed) continue;
      const why = name === null ? 'a name that is computed' : problemOf({ path, row, rules, name, isType });
      if (why) faults.push(`${path} imports ${name ?? '…'}: ${why}`);
    }
  }
  return faults;

  function problemOf(one: { path: string; row: string; rules: Row; name: string; isType: boolean }): string | null {
    const { path, row, rules, name, isType } = one;
    if (!name.startsWith('.')) {
      const wanted = packageOf(name);
      if (rules.packages.some((pattern) => covers(pattern, wanted))) return null;
      const places = rules.only?.[wanted];
      if (places?.includes(posix.basename(path))) return null;
      return places ? `only in ${places.join(', ')}` : `not a package of ${row}`;
    }
    const to = target(path, name);
    if (!files.has(to)) return 'not a file of src or workers';
    const toRow = rowOf(to);
    if (toRow === row) return null;
    const what = rules.from[toRow] ?? rules.from[to.replace(/^src\//, '')];
    if (!what) return `${row} may not import ${toRow}`;
    if (what === 'nouns' && verbs.has(to)) return 'a verb of another slice';
    if (what === 'verbs' && !isType && !verbs.has(to)) return `only verbs and types of ${toRow}`;
    return null;
  }
}

const isSlice = (path: string): boolean => SLICES.some((slice) => path.startsWith(`src/${slice}/`));
