import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../app/config/config.ts';
import { Refused } from '../core/errors.ts';
import { contactFaults } from '../http/people/people-schema.ts';
import type { Database } from '../mongo/database.ts';
import { withKnownDatabase } from '../mongo/open-database.ts';
import { contactStore, schoolStore } from '../mongo/people/people-stores.ts';
import { pullOneRoster } from '../outbound/one-roster-server.ts';
import { ROLES, type Scope } from '../people/caller.ts';
import { importRoster } from '../people/roster/import-roster.ts';
import { columnsOf } from '../people/roster/plain-roster.ts';
import type { Table } from '../people/roster/roster.ts';
import { isCsvFile, readTables } from '../storage/read-tables.ts';
import { runCommand, WrongArguments } from './run-command.ts';

const USAGE = `npm run import-roster -- --tenant ID --school ID [--file PATH] [options]

Imports people, classes and guardians of a school: from a zip archive or a folder with OneRoster CSV files, or from a plain CSV file;
without --file from the OneRoster server of ONEROSTER_URL.

  --org          sourcedId of the school, if OneRoster files have several
  --column       column of a field of a plain file, as field:head; repeat it (default: by the heads)
  --role         role of rows of a plain file without one: ${ROLES.join(', ')} (default: student)
  --confirm-left how many people may leave, if it is more than a fifth
  --new-school   for a school of which nothing is stored yet: no settings, people or events
  --dry-run      only report what would change

Prints one line of JSON with the counts, and the first conflicts without their values. Exits with 0 if imported, 1 if the roster is
refused or too many people would leave, 2 for another error.
`;

const OPTIONS = {
  tenant: { type: 'string' },
  school: { type: 'string' },
  file: { type: 'string' },
  org: { type: 'string' },
  column: { type: 'string', multiple: true, default: [] as string[] },
  role: { type: 'string', default: 'student' },
  'confirm-left': { type: 'string' },
  'new-school': { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
} as const;

const CONFLICTS_SHOWN = 20;

type Settings = Pick<Config, 'mongo' | 'oneRoster'>;

/** Runs the command. @returns its exit code and the lines to print. @throws WrongArguments */
export async function runImport(args: readonly string[], settings: () => Settings) {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const { tenant: tenant_id, school: school_id, file, org = null } = values;
  const role = ROLES.find((one) => one === values.role);
  const leaving = values['confirm-left'];
  if (!tenant_id || !school_id) throw new WrongArguments(`--${tenant_id ? 'school' : 'tenant'} is missing`);
  if (!role) throw new WrongArguments(`${values.role} is not a role; choose from ${ROLES.join(', ')}`);
  if (leaving !== undefined && !/^\d+$/.test(leaving))
    throw new WrongArguments('--confirm-left must be a whole number');
  const { mongo, oneRoster } = settings();
  if (!file && !oneRoster) throw new WrongArguments('--file is missing, and ONEROSTER_URL is not set');
  const confirm_left = leaving === undefined ? null : Number(leaving);
  const scope = { tenant_id, school_id };
  const dry_run = values['dry-run'];
  try {
    const tables = file ? await loadTables(file) : oneRoster ? await pullOneRoster(oneRoster) : [];
    const columns = columnsOf(values.column, tables[0]?.heads ?? []);
    const roster = { tables, columns, role, org, confirm_left, dry_run };
    const plan = await withKnownDatabase(mongo.uri, async (database) => {
      if (!values['new-school'] && !(await isKnown(database, scope)))
        throw new WrongArguments(
          `there is no school ${school_id} of ${tenant_id}; if it is a new one, add --new-school`,
        );
      return importRoster(depsOn(database), scope, roster);
    });
    const { added, changed, returned, left, unchanged, conflicts, needs_confirmation } = plan;
    const counts = { added: added.length, changed: changed.length, returned: returned.length, left: left.length };
    const event = dry_run ? 'roster.previewed' : 'roster.imported';
    const line = { event, ...scope, ...counts, unchanged, conflicts: conflicts.length, needs_confirmation };
    const shown = conflicts
      .slice(0, CONFLICTS_SHOWN)
      .map((one) => [one.file, `row ${one.row}`, one.field, one.rule].join(' ').trim());
    return { code: needs_confirmation ? 1 : 0, lines: [JSON.stringify(line), ...shown] };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { code: 1, lines: [JSON.stringify({ event: 'roster.refused', ...scope, errors: error.refusal.errors })] };
  }
}

/** Whether anything of the school is stored: a mistyped id would begin a school of its own. */
async function isKnown({ collection }: Database, scope: Scope): Promise<boolean> {
  const found = (['schools', 'contacts', 'events'] as const).map((name) => collection(name).findOne(scope));
  return (await Promise.all(found)).some((row) => row !== null);
}

const depsOn = (database: Database) => ({
  clock: database.clock,
  contactFaults,
  contacts: contactStore(database),
  schools: schoolStore(database),
});

async function loadTables(path: string): Promise<Table[]> {
  const read = (file: string) => readFile(file).catch(unreadable);
  if (!(await stat(path).catch(unreadable)).isDirectory()) return readTables(await read(path));
  const files = (await readdir(path).catch(unreadable)).filter(isCsvFile);
  const found = await Promise.all(files.map(async (file) => readTables(await read(join(path, file)), file)));
  return found.flat();
}

const unreadable = ({ message }: Error): never => {
  throw new Error(`--file can’t be read: ${message}`);
};

await runCommand('import-roster', {
  usage: USAGE,
  failed: 2,
  run: (args) => runImport(args, () => readConfig(process.env, ['mongo', 'oneRoster'])),
});
