import { fault, invalidField, mustBeValid } from '../../core/errors.ts';
import { inTurns } from '../../core/micro-batch.ts';
import { listedIn } from '../../core/plain-text.ts';
import type { Role } from '../caller.ts';
import { type Conflict, type Roster, type RosterPerson, type Table, tableOf } from './roster.ts';
import { type Directory, readEmail, readPhone, readRole } from './values.ts';

/** A row of a OneRoster file by its columns; `get`: missing columns are empty. */
type Row = { row: number; get(column: string): string; has(column: string): boolean };

/** Whether these files are OneRoster CSV (1EdTech, OneRoster 1.2 CSV binding), of version 1.1 or 1.2. */
export const isOneRoster = (tables: readonly Table[]): boolean =>
  tableOf(tables, 'users.csv')?.heads.includes('sourcedId') ?? false;

/** The schools of OneRoster files. */
export function schoolsOf(tables: readonly Table[]): { id: string; name: string }[] {
  const orgs = rowsOf(tables, 'orgs.csv').filter((org) => org.get('type') === 'school');
  return orgs.map((org) => ({ id: org.get('sourcedId'), name: org.get('name') }));
}

type Options = {
  /** the sourcedId of the school; null: the only one */
  org: string | null;
  country: string | null;
  /** YYYY-MM-DD at the school: roles, enrollments and terms that have ended do not count */
  today: string;
};

/**
 * Reads the people of one school from OneRoster CSV files: users with their roles, classes by enrollments, guardians by agents in
 * either direction. Ids are sourcedIds; classes are named by code or title, homerooms only if there are any.
 * @throws Refused `validation_failed` if a file or column is missing, the files are a delta, or the school is not clear
 */
export async function readOneRoster(tables: readonly Table[], options: Options, directory: Directory): Promise<Roster> {
  checkFiles(tables);
  const { country, today } = options;
  const org = chosenSchool(tables, options.org);
  const lasts = (row: Row): boolean => {
    const [begin, end] = [row.get('beginDate'), row.get('endDate')];
    // No date is before every date.
    return begin <= today && (end === '' || end >= today);
  };
  const users = new Map(rowsOf(tables, 'users.csv').map((user) => [user.get('sourcedId'), user]));
  const reading: Reading = { users, country, directory, people: new Map(), conflicts: [], skipped: new Set() };
  const roles = rolesOfUsers(reading, tables, org, lasts);
  await inTurns(users, ([id, user]) => {
    const given = roles.get(id);
    const person = given && personOf(reading, user, given);
    if (person) reading.people.set(id, person);
  });
  await inTurns(users.values(), (user) => addGuardians(reading, user));
  removeChildlessParents(reading);
  const classes = classesOf(tables, { org, today });
  await inTurns(rowsOf(tables, 'enrollments.csv').filter(lasts), (one) => addClass(reading, one, classes));
  const { people, conflicts, skipped } = reading;
  return { people: [...people.values()], conflicts, skipped };
}

/** The files as they are read, with the people found so far. */
type Reading = {
  users: ReadonlyMap<string, Row>;
  country: string | null;
  directory: Directory;
  people: Map<string, RosterPerson>;
  conflicts: Conflict[];
  skipped: Set<string>;
};

type Fault = Pick<Conflict, 'field' | 'rule' | 'value'> & { file?: string; skipped?: boolean };

function report({ conflicts }: Reading, { row }: Pick<Row, 'row'>, { value, ...fault }: Fault): void {
  conflicts.push({ file: 'users.csv', row, skipped: false, ...fault, value: value.slice(0, 100) });
}

/** The first of these columns that has a value; null: none has; undefined: the value is invalid, or there is no such column. */
function addressOf(reading: Reading, user: Row, columns: string[], rule: 'email' | 'phone') {
  const field = columns.find((name) => user.get(name) !== '');
  if (!field) return columns.some(user.has) ? null : undefined;
  const value = user.get(field);
  const found = rule === 'email' ? readEmail(value) : readPhone(value, reading.country);
  if (found === null) report(reading, user, { field, rule, value });
  return found ?? undefined;
}

/** The person of a user; null and skipped if the name is missing. */
function personOf(reading: Reading, user: Row, roles: readonly Role[]): RosterPerson | null {
  const id = user.get('sourcedId');
  const first = user.get('preferredGivenName') || user.get('givenName');
  const last = user.get('preferredFamilyName') || user.get('familyName');
  const name = [first, last].join(' ').trim();
  if (name === '') {
    reading.skipped.add(id);
    report(reading, user, { field: 'familyName', rule: 'required', value: '', skipped: true });
    return null;
  }
  const email = addressOf(reading, user, ['email'], 'email');
  const phone = addressOf(reading, user, ['sms', 'phone'], 'phone');
  const grades = listedIn(user.get('grades')).map((grade) => reading.directory.groupId('grade_level_ids', grade));
  return {
    user_id: id,
    name,
    roles: [...roles],
    class_ids: [],
    file: 'users.csv',
    row: user.row,
    ...(user.has('grades') ? { grade_level_ids: grades } : {}),
    ...(user.has('agentSourcedIds') ? { guardians: [] } : {}),
    ...(email === undefined ? {} : { email }),
    ...(phone === undefined ? {} : { phone }),
  };
}

/** A guardian may be named by the pupil, and the pupil by the guardian. */
function addGuardians(reading: Reading, user: Row): void {
  for (const other of listedIn(user.get('agentSourcedIds'))) {
    const agent = reading.users.get(other);
    if (agent === user) report(reading, user, { field: 'agentSourcedIds', rule: 'own_guardian', value: other });
    else if (agent) addGuardian(reading, user, agent);
    else report(reading, user, { field: 'agentSourcedIds', rule: 'unknown_person', value: other });
  }
}

function addGuardian(reading: Reading, user: Row, agent: Row): void {
  const { people } = reading;
  const pupilOf = (row: Row) => {
    const person = people.get(row.get('sourcedId'));
    return person?.roles.includes('student') ? person : undefined;
  };
  const own = pupilOf(user);
  const pupil = own ?? pupilOf(agent);
  if (!pupil) return;
  const guardian = own ? agent : user;
  const id = guardian.get('sourcedId');
  pupil.guardians = [...new Set([...(pupil.guardians ?? []), id])];
  const person = people.get(id) ?? personOf(reading, guardian, ['parent']);
  if (!person) return;
  if (!person.roles.includes('parent')) person.roles.push('parent');
  people.set(id, person);
}

function removeChildlessParents(reading: Reading): void {
  const withChildren = new Set([...reading.people.values()].flatMap(({ guardians = [] }) => guardians));
  for (const [id, person] of reading.people) {
    if (person.roles.some((role) => role !== 'parent') || withChildren.has(id)) continue;
    reading.people.delete(id);
    report(reading, person, { field: 'agentSourcedIds', rule: 'no_child', value: person.name, skipped: true });
  }
}

function addClass(reading: Reading, enrollment: Row, classes: ReturnType<typeof classesOf>): void {
  const { users, people, directory } = reading;
  const [user, of] = [enrollment.get('userSourcedId'), enrollment.get('classSourcedId')];
  const fault = { file: 'enrollments.csv', skipped: true };
  if (!users.has(user))
    report(reading, enrollment, { ...fault, field: 'userSourcedId', rule: 'unknown_person', value: user });
  else if (!classes.all.has(of))
    report(reading, enrollment, { ...fault, field: 'classSourcedId', rule: 'unknown_class', value: of });
  const name = classes.names.get(of);
  const person = people.get(user);
  if (!name || !person) return;
  person.class_ids = [...new Set([...(person.class_ids ?? []), directory.groupId('class_ids', name)])];
}

const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  'users.csv': ['sourcedId', 'givenName', 'familyName'],
  'orgs.csv': ['sourcedId', 'type'],
  'classes.csv': ['sourcedId', 'title', 'schoolSourcedId'],
  'enrollments.csv': ['userSourcedId', 'classSourcedId'],
};

function checkFiles(tables: readonly Table[]): void {
  const faults = Object.entries(COLUMNS).flatMap(([file, columns]) => {
    const table = tableOf(tables, file);
    if (!table) return [fault(`/file/${file}`, 'is missing in the archive', 'required')];
    const missing = columns.filter((column) => !table.heads.includes(column));
    return missing.map((column) => fault(`/file/${file}`, `must have the column ${column}`, 'column'));
  });
  const delta = rowsOf(tables, 'manifest.csv').filter((row) => row.get('value') === 'delta');
  for (const row of delta)
    faults.push(fault('/file/manifest.csv', `${row.get('propertyName')} must be bulk, not delta`, 'enum'));
  mustBeValid(faults);
}

function chosenSchool(tables: readonly Table[], wanted: string | null): string {
  const schools = schoolsOf(tables);
  const [only] = schools;
  const found = wanted === null ? (schools.length === 1 ? only : undefined) : schools.find(({ id }) => id === wanted);
  if (found) return found.id;
  const choices = schools.map(({ id }) => id).slice(0, 20);
  throw invalidField('/query/org', `must be the sourcedId of a school of orgs.csv: ${choices.join(', ')}`, 'enum');
}

/** The roles at the school by user: of roles.csv (1.2), or of users.csv (1.1). */
function rolesOfUsers(reading: Reading, tables: readonly Table[], org: string, lasts: (row: Row) => boolean) {
  const found = new Map<string, Role[]>();
  const add = (file: string, row: Row, user: string) => {
    const value = row.get('role');
    const role = readRole(value);
    if (role) found.set(user, [...new Set([...(found.get(user) ?? []), role])]);
    else if (value !== '') {
      reading.skipped.add(user);
      report(reading, row, { file, field: 'role', rule: 'role', value, skipped: true });
    }
  };
  for (const row of rowsOf(tables, 'roles.csv').filter(lasts))
    if (row.get('orgSourcedId') === org) add('roles.csv', row, row.get('userSourcedId'));
  for (const user of rowsOf(tables, 'users.csv'))
    if (listedIn(user.get('orgSourcedIds')).includes(org)) add('users.csv', user, user.get('sourcedId'));
  return found;
}

/** The classes of the files (`all`), and the names of those of the school whose terms have not ended. */
function classesOf(tables: readonly Table[], { org, today }: { org: string; today: string }) {
  const rows = rowsOf(tables, 'classes.csv');
  const ends = new Map(
    rowsOf(tables, 'academicSessions.csv').map((session) => [session.get('sourcedId'), session.get('endDate')]),
  );
  const isOver = (row: Row): boolean => {
    const terms = listedIn(row.get('termSourcedIds')).flatMap((term) => ends.get(term) || []);
    return terms.length > 0 && terms.every((end) => end < today);
  };
  const current = rows.filter((row) => row.get('schoolSourcedId') === org && !isOver(row));
  const homerooms = current.filter((row) => row.get('classType') === 'homeroom');
  const chosen = homerooms.length > 0 ? homerooms : current;
  return {
    all: new Set(rows.map((row) => row.get('sourcedId'))),
    names: new Map(chosen.map((row) => [row.get('sourcedId'), row.get('classCode') || row.get('title')])),
  };
}

/** Rows of a file that are not marked as deleted; none if the file is missing. */
function rowsOf(tables: readonly Table[], file: string): Row[] {
  const table = tableOf(tables, file);
  if (!table) return [];
  const at = new Map(table.heads.map((head, index) => [head, index]));
  const rows = table.rows.map(
    ({ row, cells }): Row => ({
      row,
      get: (column) => cells[at.get(column) ?? -1] ?? '',
      has: (column) => at.has(column),
    }),
  );
  return rows.filter((row) => row.get('status') !== 'tobedeleted');
}
