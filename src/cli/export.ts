import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { readConfig } from '../app/config/config.ts';
import { COLLECTION_NAMES } from '../mongo/collections.ts';
import type { Database } from '../mongo/database.ts';
import { readVersions } from '../mongo/migrations.ts';
import { withKnownDatabase } from '../mongo/open-database.ts';
import { type ExportScope, readSchoolRecords, SCHOOL_RECORDS } from '../mongo/privacy/school-records.ts';
import { runCommand, WrongArguments } from './run-command.ts';

const USAGE = `npm run export -- --tenant ID [--school ID] --out FOLDER

Writes all data of a school, or of all schools of a tenant, into an empty or new folder: one file of JSON lines for each collection, and
manifest.json at the end. Changes nothing in the database.
`;

/** The content of manifest.json. */
export type Manifest = ExportScope & {
  format: 1;
  schema_version: number;
  started_at: Date;
  ended_at: Date;
  collections: Record<string, { file: string; rows: number; without: readonly string[] }>;
  left_out: Record<string, string>;
};

/** Only the user who runs the command may read what it writes. */
const PRIVATE = { folder: 0o700, file: 0o600 };

/**
 * Exports a school. Rows are written while they are read, so memory does not grow with the school. The manifest is written last:
 * a folder without one is incomplete.
 * @throws Error if the folder is not empty, or there is no data
 */
export async function exportSchool(database: Database, of: ExportScope, folder: string): Promise<Manifest> {
  // Creates no folders above it: below /proc Node would try that forever.
  await mkdir(folder, { mode: PRIVATE.folder }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST' || !(await stat(folder)).isDirectory())
      throw new Error(`--out can’t be written: ${error.message}`);
  });
  if ((await readdir(folder)).length > 0) throw new Error(`--out must be empty or new: ${folder} is not empty`);
  const started_at = database.clock.now();
  const { stored: schema_version } = await readVersions(database);
  const collections: Manifest['collections'] = {};
  const left_out: Manifest['left_out'] = {};
  for (const name of COLLECTION_NAMES) {
    const treatment = SCHOOL_RECORDS[name];
    if ('leftOut' in treatment) {
      left_out[name] = treatment.leftOut;
      continue;
    }
    const file = `${name}.ndjson`;
    const rows = await writeLines(join(folder, file), readSchoolRecords(database, name, treatment, of));
    collections[name] = { file, rows, without: treatment.without ?? [] };
  }
  const written = Object.values(collections);
  if (written.every(({ rows }) => rows === 0)) {
    await Promise.all(written.map(({ file }) => rm(join(folder, file))));
    throw new Error('there is no such tenant or school');
  }
  const ended_at = database.clock.now();
  const manifest: Manifest = { format: 1, ...of, schema_version, started_at, ended_at, collections, left_out };
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: PRIVATE.file });
  return manifest;
}

/** Lines that are written together. */
const BUFFER_BYTES = 256 * 1024;

/** @returns how many lines were written */
async function writeLines(path: string, rows: AsyncIterable<object>): Promise<number> {
  let count = 0;
  const lines = async function* () {
    for await (const row of rows) {
      count += 1;
      yield `${JSON.stringify(row)}\n`;
    }
  };
  await pipeline(lines, createWriteStream(path, { flags: 'wx', mode: PRIVATE.file, highWaterMark: BUFFER_BYTES }));
  return count;
}

await runCommand('export', {
  usage: USAGE,
  run: async (args) => {
    const text = { type: 'string' } as const;
    const { values } = parseArgs({ args, options: { tenant: text, school: text, out: text } });
    const { tenant: tenant_id, school: school_id, out } = values;
    if (!tenant_id || !out) throw new WrongArguments(`--${tenant_id ? 'out' : 'tenant'} is missing`);
    const of = school_id === undefined ? { tenant_id } : { tenant_id, school_id };
    const { uri } = readConfig(process.env, ['mongo']).mongo;
    const { collections } = await withKnownDatabase(uri, (database) => exportSchool(database, of, out));
    const counts = Object.entries(collections).map(([name, { rows }]) => `${name}: ${rows}`);
    return { lines: [...counts, join(out, 'manifest.json')] };
  },
});
