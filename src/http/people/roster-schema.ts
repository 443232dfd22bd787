import { Type } from 'typebox';
import { ROSTER_FIELDS } from '../../people/roster/plain-roster.ts';
import type { RosterPlan } from '../../people/roster/plan-roster.ts';
import { ROSTER_RULES } from '../../people/roster/roster.ts';
import { nullable, oneOf } from '../schemas/fields.ts';

const PEOPLE_SHOWN = 100;
const CONFLICTS_SHOWN = 500;

const count = (description: string) => Type.Integer({ description });
const PERSON = {
  user_id: Type.String(),
  name: Type.String(),
  roles: Type.Array(Type.String()),
  class_ids: Type.Array(Type.String()),
};
const shown = (what: string) => Type.Array(Type.Object(PERSON), { description: `The first hundred ${what}.` });

/** What an import did, or would do. */
export const ROSTER_RESULT = Type.Object(
  {
    dry_run: Type.Boolean({ description: 'True: nothing was changed.' }),
    counts: Type.Object(
      {
        added: count('People who are new.'),
        changed: count('People with other values than before.'),
        returned: count('People who had left and are back.'),
        left: count('People who are no longer in the roster.'),
        unchanged: count('People whose values stay the same.'),
        conflicts: count('Values that were not imported as they are, or that look wrong.'),
        could_leave: count('People of earlier rosters with a role that this roster decides about.'),
      },
      { description: 'How many people and conflicts there are.' },
    ),
    needs_confirmation: Type.Boolean({
      description: 'True if more than a fifth would leave: send their number as `confirm_left` to import.',
    }),
    added: shown('people who are new'),
    changed: Type.Array(
      Type.Object({ ...PERSON, fields: Type.Array(Type.String(), { description: 'The changed fields.' }) }),
      {
        description: 'The first hundred people with other values.',
      },
    ),
    returned: shown('people who are back'),
    left: shown('people who have left'),
    conflicts: Type.Array(
      Type.Object({
        file: Type.String({ description: 'The file in the archive. Empty for a single file.' }),
        row: Type.Integer({ description: 'The row, as a spreadsheet counts them.' }),
        field: Type.String({ description: 'The field.' }),
        rule: oneOf(ROSTER_RULES, { description: 'The broken rule.' }),
        value: Type.String({ description: 'The value, shortened, or what is wrong with it.' }),
        skipped: Type.Boolean({
          description: 'True: the row is not imported. False: it is, without a value that is invalid.',
        }),
      }),
      { description: 'The first five hundred conflicts.' },
    ),
  },
  { description: 'What changed, or would change' },
);

/** The columns of a file, to choose their fields. */
export const ROSTER_COLUMNS = Type.Object(
  {
    format: oneOf(['plain', 'oneroster'], { description: 'OneRoster files need no columns.' }),
    schools: Type.Array(
      Type.Object({
        id: Type.String({ description: 'The sourcedId.' }),
        name: Type.String({ description: 'The name.' }),
      }),
      { description: 'The schools of OneRoster files.' },
    ),
    rows: Type.Integer({ description: 'How many rows there are below the heads.' }),
    columns: Type.Array(
      Type.Object({
        head: Type.String({ description: 'The head of the column.' }),
        samples: Type.Array(Type.String(), { description: 'The first values that are not empty.' }),
        field: nullable(oneOf(ROSTER_FIELDS, { description: 'The suggested field. Null if the head names none.' })),
      }),
      { description: 'The columns of the file.' },
    ),
  },
  { description: 'The columns of the file' },
);

type Result = RosterPlan & { needs_confirmation: boolean };

export function rosterView(plan: Result, dry_run: boolean) {
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
