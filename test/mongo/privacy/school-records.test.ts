import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportSchool, type Manifest } from '../../../src/cli/export.ts';
import { COLLECTION_NAMES, type CollectionName } from '../../../src/mongo/collections.ts';
import type { Database } from '../../../src/mongo/database.ts';
import { type ExportScope, SCHOOL_RECORDS } from '../../../src/mongo/privacy/school-records.ts';
import { emptyDatabase } from '../../support/database.ts';
import { dump, store } from './documents.ts';
import { type Docs, personEverywhere } from './person-everywhere.ts';

const SCHOOLS = [
  { tenant_id: 't1', school_id: 's1' },
  { tenant_id: 't1', school_id: 's2' },
  { tenant_id: 't2', school_id: 's1' },
] as const;
type School = (typeof SCHOOLS)[number];

const taken = COLLECTION_NAMES.filter((name) => !('leftOut' in SCHOOL_RECORDS[name]));
const markOf = ({ tenant_id, school_id }: School) => `mark-${tenant_id}-${school_id}`;

/** A document in every collection, also in one that is added later, and secrets where they are kept. */
function documentsOf(school: School): Docs {
  const docs = personEverywhere('quirin', { ...school });
  const mark = markOf(school);
  for (const name of COLLECTION_NAMES) {
    const named = { _id: `${mark}-${name}`, ...school, mark };
    const unique = { event_id: mark, user_id: mark, endpoint: mark, webhook_id: mark, address: mark, digest: mark };
    docs[name] = [...(docs[name] ?? []), { ...named, ...unique, schools: [school.school_id], channel: 'email' }];
  }
  // A suppressed address belongs to the schools whose messages it has stopped.
  docs.suppressions = docs.suppressions?.map((row) => ({ ...row, schools: [school.school_id] })) ?? [];
  docs.delivery_counts = [
    { _id: `${mark}-events`, outcomes: [] },
    { _id: `${mark}-messages`, outcomes: [] },
  ];
  docs.webhooks = [{ _id: `${mark}-w`, ...school, mark, secrets: [{ value: 'secret-of-webhook' }] }];
  docs.push_subscriptions = [{ _id: `${mark}-p`, ...school, mark, endpoint: mark, keys: { auth: 'secret-of-push' } }];
  docs.feeds = [{ _id: `${mark}-f`, ...school, mark, digest: `secret-of-feed ${mark}` }];
  docs.schools = [{ _id: `${mark}-s`, ...school, mark }];
  return docs;
}

type Row = { _id: string };
type Export = { manifest: Manifest; texts: Map<CollectionName, string>; rows: Map<CollectionName, Row[]> };

let database: Database;
let folder: string;
let stored: Map<string, object>;
/** The export of each school. */
let ofSchools: Export[];
let folders = 0;

async function exported(of: ExportScope): Promise<Export> {
  folders += 1;
  const to = join(folder, String(folders));
  const manifest = await exportSchool(database, of, to);
  expect(JSON.parse(readFileSync(join(to, 'manifest.json'), 'utf8'))).toEqual(JSON.parse(JSON.stringify(manifest)));
  const texts = new Map(taken.map((name) => [name, readFileSync(join(to, `${name}.ndjson`), 'utf8')]));
  const linesOf = (text: string) => text.split('\n').filter((line) => line !== '');
  const rows = new Map([...texts].map(([name, text]) => [name, linesOf(text).map((line) => JSON.parse(line) as Row)]));
  return { manifest, texts, rows };
}
const idsOf = ({ rows }: Export, name: CollectionName) => (rows.get(name) ?? []).map(({ _id }) => _id);

beforeAll(async () => {
  database = await emptyDatabase();
  folder = mkdtempSync(join(tmpdir(), 'schoolbell-export-'));
  for (const school of SCHOOLS) await store(database, documentsOf(school));
  stored = await dump(database);
  ofSchools = await Promise.all(SCHOOLS.map(exported));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('every row of every collection is in the export of exactly one school', () => {
  for (const name of taken) {
    const expected = [...stored.keys()].filter((key) => key.startsWith(`${name}/`));
    expect(expected.length, name).toBeGreaterThanOrEqual(SCHOOLS.length);
    const found = ofSchools.flatMap((one) => idsOf(one, name)).map((id) => `${name}/${id}`);
    expect(found.sort(), name).toEqual(expected.sort());
  }
});

test('an export holds nothing of another school, and says how much it holds', () => {
  for (const [at, { texts, rows, manifest }] of ofSchools.entries()) {
    const school = SCHOOLS[at] as School;
    const others = SCHOOLS.filter((one) => one !== school).map(markOf);
    for (const [name, text] of texts) {
      expect(text, name).toContain(markOf(school));
      expect(
        others.filter((mark) => text.includes(mark)),
        name,
      ).toEqual([]);
      expect(manifest.collections[name]?.rows, name).toBe(rows.get(name)?.length);
    }
    expect(manifest).toMatchObject({ format: 1, ...school, schema_version: expect.any(Number) });
  }
});

test('the export of a tenant holds all of its schools', async () => {
  const tenant = await exported({ tenant_id: 't1' });
  const schools = ofSchools.slice(0, 2);
  for (const name of taken)
    expect(idsOf(tenant, name).sort(), name).toEqual(schools.flatMap((one) => idsOf(one, name)).sort());
});

test('secrets stay behind, and the manifest names them and the collections that are left out', () => {
  const { manifest, texts } = ofSchools[0] as Export;
  expect([...texts.values()].join('')).not.toMatch(/secret-of-/);
  const without = Object.entries(manifest.collections).filter(([, { without }]) => without.length > 0);
  expect(Object.fromEntries(without.map(([name, one]) => [name, one.without]))).toEqual({
    feeds: ['digest'],
    webhooks: ['secrets'],
    push_subscriptions: ['keys'],
  });
  expect(Object.keys({ ...manifest.collections, ...manifest.left_out }).sort()).toEqual([...COLLECTION_NAMES].sort());
  expect(manifest.left_out).toMatchObject({ secrets: 'keys of the installation' });
});

test('an export changes nothing in the database', async () => {
  expect(await dump(database)).toEqual(stored);
});

test('a folder that is not empty is refused and left as it is', async () => {
  const used = mkdtempSync(join(folder, 'used-'));
  writeFileSync(join(used, 'notes.txt'), 'mine');
  await expect(exportSchool(database, SCHOOLS[0], used)).rejects.toThrow(
    `--out must be empty or new: ${used} is not empty`,
  );
  const file = import.meta.filename;
  await expect(exportSchool(database, SCHOOLS[0], file)).rejects.toThrow('--out can’t be written: EEXIST');
  expect(readFileSync(join(used, 'notes.txt'), 'utf8')).toBe('mine');
});

test.each(['/proc/schoolbell/lipova', '/proc/lipova', '/sys/lipova', '/dev/null/lipova'])(
  'the folder %s is refused immediately',
  (to) => expect(exportSchool(database, SCHOOLS[0], to)).rejects.toThrow(/^--out can’t be written: E/),
);

test('a misspelt tenant or school is refused, and leaves the folder empty for another try', async () => {
  const wrong = { tenant_id: 't1', school_id: 'S1' };
  const to = join(folder, 'wrong');
  await expect(exportSchool(database, wrong, to)).rejects.toThrow('there is no such tenant or school');
  expect(readdirSync(to)).toEqual([]);
});

test('only the user who runs it may read the files', async () => {
  const to = join(mkdtempSync(join(folder, 'used-')), 'private');
  await exportSchool(database, SCHOOLS[0], to);
  const modes = [to, join(to, 'contacts.ndjson'), join(to, 'manifest.json')].map((path) => statSync(path).mode & 0o777);
  expect(modes).toEqual([0o700, 0o600, 0o600]);
});
