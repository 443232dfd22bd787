import { Type } from 'typebox';
import { fault, invalid } from '../../core/errors.ts';
import { ROLES, scopeOf } from '../../people/caller.ts';
import { importRoster } from '../../people/roster/import-roster.ts';
import { isOneRoster, schoolsOf } from '../../people/roster/one-roster.ts';
import { type Columns, ROSTER_FIELDS, type RosterField, suggestColumns } from '../../people/roster/plain-roster.ts';
import { OPERATIONS } from '../paths.ts';
import type { Routes } from '../route.ts';
import { id, oneOf, optional, strict } from '../schemas/fields.ts';
import { contactFaults } from './people-schema.ts';
import { ROSTER_COLUMNS, ROSTER_RESULT, rosterView } from './roster-schema.ts';

const ROSTER = `${OPERATIONS}/roster`;
const BYTES = 'application/octet-stream';
/** A school of 10,000 people has 3 MB. */
const MOST_BYTES = 20_000_000;
const SAMPLES = 3;
const access = { permission: 'manage_contacts' } as const;

/** Routes to import people, classes and guardians from a file. */
export function peopleRosterRoutes(routes: Routes): void {
  routes.app.register(async (uploads) => {
    uploads.removeAllContentTypeParsers();
    // Any type, since browsers name CSV files in many ways.
    uploads.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MOST_BYTES }, (_request, body, done) =>
      done(null, body),
    );

    routes.on(uploads).post(`${ROSTER}/columns`, {
      access,
      name: 'readRosterColumns',
      summary: 'Read the columns of a CSV file with people, and suggest their fields',
      description: 'Send the bytes of the file as the body, at most 20 MB. Nothing is stored.',
      body: FILE,
      streams: BYTES,
      answers: { 200: ROSTER_COLUMNS },
      refusals: ['too_large'],
      result: async ({ readTables }, _caller, { body }) => {
        const tables = readTables(body ?? NOTHING);
        if (isOneRoster(tables)) {
          const rows = tables.find(({ file }) => file === 'users.csv')?.rows.length ?? 0;
          return { format: 'oneroster', schools: schoolsOf(tables), rows, columns: [] };
        }
        const [table] = tables;
        const heads = table?.heads ?? [];
        const fields = new Map(
          Object.entries(suggestColumns(heads)).map(([field, head]) => [head, field as RosterField]),
        );
        const columns = heads.map((head, at) => {
          const values = (table?.rows ?? []).flatMap(({ cells }) => cells[at] || []);
          return { head, samples: [...new Set(values)].slice(0, SAMPLES), field: fields.get(head) ?? null };
        });
        return { format: 'plain', schools: [], rows: table?.rows.length ?? 0, columns };
      },
    });

    routes.on(uploads).post(`${ROSTER}/import`, {
      access,
      name: 'importRoster',
      summary: 'Import people, classes and guardians from a file, or see first what would change',
      description:
        'Send the bytes of the file as the body, at most 20 MB: a CSV file with one person per row, separated by commas, ' +
        'semicolons or tabs, in UTF-8 or Windows-1250, or a zip archive with the files of OneRoster 1.2 or 1.1. People are found by their id; rows without one by e-mail address or ' +
        'phone number with the name. People of earlier rosters who are missing have left, if the file has others with ' +
        'their role: they stay in the directory, get no more messages, and come back with a later import. Repeating an import is harmless.',
      query: strict({
        dry_run: optional(Type.Boolean({ description: 'True: only report what would change.' })),
        column: optional(
          Type.Array(Type.String({ maxLength: 300 }), {
            maxItems: ROSTER_FIELDS.length,
            description: `The column of a field, as \`field:head\`. Repeat the parameter. Fields: ${ROSTER_FIELDS.join(', ')}. By default as suggested.`,
          }),
        ),
        org: optional({ ...id, description: 'The sourcedId of the school, if OneRoster files have several.' }),
        role: optional(oneOf(ROLES, { description: 'The role of rows without one; `student` by default.' })),
        confirm_left: optional(
          Type.Integer({ minimum: 0, description: 'How many people may leave, if it is more than a fifth.' }),
        ),
      }),
      body: FILE,
      streams: BYTES,
      answers: { 200: ROSTER_RESULT },
      refusals: ['too_large'],
      result: async (joined, caller, { query, body }) => {
        const { dry_run = false, role = 'student', confirm_left = null, column, org = null } = query;
        const tables = joined.readTables(body ?? NOTHING);
        const columns = column ? columnsOf(column) : suggestColumns(tables[0]?.heads ?? []);
        const input = { tables, columns, org, role, confirm_left, dry_run };
        return rosterView(await importRoster({ ...joined, contactFaults }, scopeOf(caller), input), dry_run);
      },
    });
  });
}

/** @throws Refused `validation_failed` if a field is unknown */
function columnsOf(given: readonly string[]): Columns {
  return Object.fromEntries(
    given.map((one) => {
      const at = one.indexOf(':');
      const field = one.slice(0, at);
      if (!ROSTER_FIELDS.some((name) => name === field))
        throw invalid([
          fault('/query/column', `must begin with one of ${ROSTER_FIELDS.join(', ')} and a colon`, 'enum'),
        ]);
      return [field, one.slice(at + 1)];
    }),
  );
}

const NOTHING = new Uint8Array();
const FILE = Type.Unsafe<Buffer | undefined>({
  description: 'The bytes of the file.',
  examples: ['id;name;class;guardian name;guardian e-mail\n17;Jan Nový;5.A;Eva Nová;eva@example.org\n'],
});
