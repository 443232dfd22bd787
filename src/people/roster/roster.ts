import type { Role } from '../caller.ts';
import type { Contact } from '../contact.ts';

/** A CSV file: its column heads, and its rows with the number that a spreadsheet shows. */
export type Table = { file: string; heads: readonly string[]; rows: readonly TableRow[] };
export type TableRow = { row: number; cells: readonly string[] };

/** The rules that a row of a roster can break, which clients translate. */
export const ROSTER_RULES = [
  'required',
  'no_id',
  'invalid',
  'email',
  'phone',
  'role',
  'duplicate',
  'same_email',
  'unknown_class',
  'unknown_person',
  'no_child',
] as const;
export type RosterRule = (typeof ROSTER_RULES)[number];

/** What is wrong with one field of a row. `skipped`: the row is not imported; otherwise it is, without this value if it is invalid. */
export type Conflict = {
  file: string;
  row: number;
  field: string;
  rule: RosterRule;
  value: string;
  skipped: boolean;
};

/** A person as a roster has them; fields that it does not know stay as the directory has them. */
export type RosterPerson = Partial<
  Pick<Contact, 'email' | 'phone' | 'class_ids' | 'grade_level_ids' | 'department_ids' | 'guardians'>
> & { user_id: string; name: string; roles: Role[]; file: string; row: number };

/** The content of a roster. */
export type Roster = {
  people: RosterPerson[];
  conflicts: Conflict[];
  /** the people whom skipped rows name: they have not left */
  skipped: Set<string>;
};
