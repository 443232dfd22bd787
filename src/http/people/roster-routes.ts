import { Type } from 'typebox';
import { pick } from '../../core/objects.ts';
import { ROLES, scopeOf } from '../../people/caller.ts';
import { importRoster } from '../../people/roster/import-roster.ts';
import { isOneRoster, schoolsOf } from '../../people/roster/one-roster.ts';
import { columnsOf, ROSTER_FIELDS, type RosterField, suggestColumns } from '../../people/roster/plain-roster.ts';
import type { RosterPlan } from '../../people/roster/plan-roster.ts';
import { CONFLICT, tableOf } from '../../people/roster/roster.ts';
import { refuseUploadForms } from '../hooks.ts';
import { OPERATIONS } from '../paths.ts';
import type { Routes } from '../route.ts';
import { choice, described, flag, id, listOf, nullable, oneOf, optional, strict } from '../schemas/fields.ts';
import { CONTACT, contactFaults } from './people-schema.ts';

const PEOPLE_SHOWN = 100;
const CONFLICTS_SHOWN = 500;

const count = (description: string) => Type.Integer({ description });
const PERSON = pick(CONTACT.properties, ['user_id', 'name', 'roles', 'class_ids']);
const shown = (what: string) => listOf(`The first hundred ${what}.`, PERSON);

/** The result of an import or of its dry run. */
const ROSTER_RESULT = described('What changed, or would change', {
  dry_run: Type.Boolean({ description: 'True: nothing was changed.' }),
  counts: described('How many people and conflicts there are.', {
    added: count('People who are new.'),
    changed: count('People with other values than before.'),
    returned: count('People who had left and are back.'),
    left: count('People who are no longer in the roster.'),
    unchanged: count('People whose values stay the same.'),
    conflicts: count('Values that were not imported as they are, or that look wrong.'),
    could_leave: count('People of earlier rosters with a role that this roster decides about.'),
  }),
  needs_confirmation: Type.Boolean({
    description: 'True if more than a fifth would leave: send their number as `confirm_left` to import.',
  }),
  added: shown('people who are new'),
  changed: listOf('The first hundred people with other values.', {
    ...PERSON,
    fields: Type.Array(Type.String(), { description: 'The changed fields.' }),
  }),
  returned: shown('people who are back'),
  left: shown('people who have left'),
  conflicts: Type.Array(CONFLICT, { description: 'The first five hundred conflicts.' }),
});

/** The columns of a file, to choose their fields. */
const ROSTER_COLUMNS = described('The columns of the file', {
  format: oneOf(['plain', 'oneroster'], { description: 'OneRoster files need no columns.' }),
  schools: listOf('The schools of OneRoster files.', {
    id: Type.String({ description: 'The sourcedId.' }),
    name: Type.String({ description: 'The name.' }),
  }),
  rows: Type.Integer({ description: 'How many rows there are below the heads.' }),
  columns: listOf('The columns of the file.', {
    head: Type.String({ description: 'The head of the column.' }),
    samples: Type.Array(Type.String(), { description: 'The first values that are not empty.' }),
    field: nullable(oneOf(ROSTER_FIELDS, { description: 'The suggested field. Null if the head names none.' })),
  }),
});

function rosterView(plan: RosterPlan & { needs_confirmation: boolean }, dry_run: boolean) {
  const { added, changed, returned, left, unchanged, conflicts, could_leave, needs_confirmation } = plan;
  const first = <T>(all: readonly T[]): T[] => all.slice(0, PEOPLE_SHOWN);
  return {
    dry_run,
    counts: {
      added: added.length,
      changed: changed.length,
      returned: returned.length,
      left: left.length,
      unchanged,
      conflicts: conflicts.length,
      could_leave,
    },
    needs_confirmation,
    added: first(added),
    changed: first(changed).map(({ contact, fields }) => ({ ...contact, fields })),
    returned: first(returned),
    left: first(left),
    conflicts: conflicts.slice(0, CONFLICTS_SHOWN),
  };
}

const ROSTER = `${OPERATIONS}/roster`;
const BYTES = 'application/octet-stream';
/** A school of 10,000 people has 3 MB. */
const MOST_BYTES = 20_000_000;
const SAMPLES = 3;
const access = { permission: 'manage_contacts' } as const;

/** Routes to import people, classes and guardians from a file. */
export function rosterRoutes(routes: Routes): void {
  routes.app.register(async (uploads) => {
    uploads.removeAllContentTypeParsers();
    refuseUploadForms(uploads);
    // Any type, since browsers name CSV files in many ways.
    uploads.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

    routes.on(uploads).post(`${ROSTER}/columns`, {
      access,
      name: 'readRosterColumns',
      summary: 'Read the columns of a CSV file with people, and suggest their fields',
      description: 'Send the bytes of the file as the body, at most 20 MB. Nothing is stored.',
      body: FILE,
      streams: BYTES,
      bodyLimit: MOST_BYTES,
      responses: { 200: ROSTER_COLUMNS },
      result: async ({ readTables }, _caller, { body }) => {
        const tables = await readTables(body ?? NOTHING);
        if (isOneRoster(tables)) {
          const rows = tableOf(tables, 'users.csv')?.rows.length ?? 0;
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
        'Send the bytes of the file as the body, at most 20 MB and 50,000 people: a CSV file with one person per row, separated by commas, ' +
        'semicolons or tabs, in UTF-8, UTF-16, Windows-1250 or ISO 8859-2, or a zip archive with the files of OneRoster 1.2 or 1.1. People are found by their id; rows without one by e-mail address or ' +
        'phone number with the name. People of earlier rosters who are missing have left, if the file has others with ' +
        'their role: they stay in the directory, get no more messages, and come back with a later import. Repeating an import is harmless.',
      query: strict({
        dry_run: flag('True: only report what would change.'),
        column: optional(
          Type.Array(Type.String({ maxLength: 300 }), {
            maxItems: ROSTER_FIELDS.length,
            description: `The column of a field, as \`field:head\`. Repeat the parameter. Fields: ${ROSTER_FIELDS.join(', ')}. By default as suggested.`,
          }),
        ),
        org: optional({ ...id, description: 'The sourcedId of the school, if OneRoster files have several.' }),
        role: choice(ROLES, 'The role of rows without one; `student` by default.'),
        confirm_left: optional(
          Type.Integer({ minimum: 0, description: 'How many people may leave, if it is more than a fifth.' }),
        ),
      }),
      body: FILE,
      streams: BYTES,
      bodyLimit: MOST_BYTES,
      responses: { 200: ROSTER_RESULT },
      result: async (deps, caller, { query, body }) => {
        const { dry_run = false, role = 'student', confirm_left = null, column = [], org = null } = query;
        const tables = await deps.readTables(body ?? NOTHING);
        const columns = columnsOf(column, tables[0]?.heads ?? []);
        const input = { tables, columns, org, role, confirm_left, dry_run };
        return rosterView(await importRoster({ ...deps, contactFaults }, scopeOf(caller), input), dry_run);
      },
    });
  });
}

const NOTHING = new Uint8Array();
const FILE = Type.Unsafe<Buffer | undefined>({
  description: 'The bytes of the file.',
  examples: ['id;name;class;guardian name;guardian e-mail\n17;Jan Nový;5.A;Eva Nová;eva@example.org\n'],
});
