import { type Static, Type } from 'typebox';
import { oneOf } from '../../core/schema.ts';
import type { Role } from '../caller.ts';
import type { Contact } from '../contact.ts';

/** A CSV file: its column heads, and its rows with the number that a spreadsheet shows. */
export type Table = { file: string; heads: readonly string[]; rows: readonly TableRow[] };
export type TableRow = { row: number; cells: readonly string[] };

/** The table of a file, whose name some programs write in capitals. */
export const tableOf = (tables: readonly Table[], file: string): Table | undefined =>
  tables.find((one) => one.file.toLowerCase() === file.toLowerCase());

/** The rules that a row of a roster can break, which clients translate. */
const RULES = [
  'required',
  'no_id',
  'invalid',
  'email',
  'phone',
  'role',
  'duplicate',
  'other_name',
  'same_email',
  'unknown_class',
  'unknown_person',
  'no_child',
  'own_guardian',
] as const;
/** A fault in one field of a row. */
export const CONFLICT = Type.Object({
  file: Type.String({ description: 'The file in the archive. Empty for a single file.' }),
  row: Type.Integer({ description: 'The row, as a spreadsheet counts them.' }),
  field: Type.String({ description: 'The field.' }),
  rule: oneOf(RULES, { description: 'The broken rule.' }),
  value: Type.String({ description: 'The value, shortened, or what is wrong with it.' }),
  skipped: Type.Boolean({
    description: 'True: the row is not imported. False: it is, without a value that is invalid.',
  }),
});
export type Conflict = Static<typeof CONFLICT>;

/** A person as a roster has them; fields that it does not know stay as the directory has them. */
export type RosterPerson = Partial<
  Pick<Contact, 'email' | 'phone' | 'class_ids' | 'grade_level_ids' | 'department_ids' | 'guardians'>
> & { user_id: string; name: string; roles: Role[]; file: string; row: number };

export type Roster = {
  people: RosterPerson[];
  conflicts: Conflict[];
  /** the people whom skipped rows name: they have not left */
  skipped: Set<string>;
};
