import { invalidField } from '../../core/errors.ts';
import { mapBy } from '../../core/groups.ts';
import { inTurns } from '../../core/micro-batch.ts';
import { listedIn, searchWords } from '../../core/plain-text.ts';
import type { GroupList, Role } from '../caller.ts';
import type { Conflict, Roster, RosterPerson, Table, TableRow } from './roster.ts';
import { type Directory, foldedName, identifier, readEmail, readPhone, readRole } from './values.ts';

const OF_PERSON = [
  'user_id',
  'name',
  'given_name',
  'family_name',
  'role',
  'class_ids',
  'grade_level_ids',
  'department_ids',
  'email',
  'phone',
] as const;
const GUARDIANS = ['guardian_1', 'guardian_2'] as const;
const OF_GUARDIAN = ['id', 'name', 'email', 'phone'] as const;

/** The fields that a column of a plain CSV file can have. */
export const ROSTER_FIELDS = [
  ...OF_PERSON,
  ...GUARDIANS.flatMap((one) => OF_GUARDIAN.map((field) => `${one}_${field}` as const)),
] as const;
export type RosterField = (typeof ROSTER_FIELDS)[number];

/** The column head of each field. */
export type Columns = Partial<Record<RosterField, string>>;

/** Words of a head (searchWords) that name a field; the first field that fits a head wins. */
const HEADS: readonly [RosterField, RegExp][] = [
  ...GUARDIANS.flatMap((one, at): [RosterField, RegExp][] => {
    const who = `(?:${at === 0 ? '(?:guardian|parent|rodic[eu]?|zastupc[eu]|zz)\\b(?! ?2)|matk|mother' : '(?:guardian|parent|rodic[eu]?|zastupc[eu]|zz) ?2|otec|otce|father'})`;
    return [
      [`${one}_email`, new RegExp(`${who}.*mail|mail.*${who}`)],
      [`${one}_phone`, new RegExp(`${who}.*(?:tel|mobil|phone)|(?:tel|mobil|phone).*${who}`)],
      [`${one}_id`, new RegExp(`${who}.*\\bid\\b|\\bid\\b.*${who}`)],
      [`${one}_name`, new RegExp(who)],
    ];
  }),
  ['email', /mail/],
  ['phone', /tel|mobil|phone/],
  ['class_ids', /^(?:class|trida|tridy)/],
  ['grade_level_ids', /^(?:grade|year|rocnik)/],
  ['department_ids', /^(?:department|oddeleni|predmetova|kabinet)/],
  ['role', /^(?:role|typ|funkce)/],
  ['given_name', /^(?:given|first|krestni)|^jmeno$/],
  ['family_name', /^(?:family|last|surname|prijmeni)(?! (?:a )?jmeno)/],
  ['name', /name|jmeno|prijmeni|zak\b/],
  // Ids are in links, webhooks and exports, where a birth number has no place.
  ['user_id', /\bid\b|kod|(?<!rodne )cislo|number/],
];

/**
 * The columns that are given as `field:head`; without any, those that the heads suggest.
 * @throws Refused `validation_failed` if a field is unknown
 */
export function columnsOf(given: readonly string[], heads: readonly string[]): Columns {
  if (given.length === 0) return suggestColumns(heads);
  return Object.fromEntries(
    given.map((one) => {
      const at = one.indexOf(':');
      const field = one.slice(0, at);
      if (!ROSTER_FIELDS.some((name) => name === field))
        throw invalidField('/query/column', `must begin with one of ${ROSTER_FIELDS.join(', ')} and a colon`, 'enum');
      return [field, one.slice(at + 1)];
    }),
  );
}

/** Suggests the field of each column by its head, each field once. */
export function suggestColumns(heads: readonly string[]): Columns {
  const columns: Columns = {};
  for (const head of heads) {
    const words = searchWords(head).join(' ');
    const field = HEADS.find(([name, pattern]) => columns[name] === undefined && pattern.test(words))?.[0];
    if (field) columns[field] = head;
  }
  // "Jméno" alone is the whole name.
  if (columns.given_name && !columns.family_name && !columns.name) {
    columns.name = columns.given_name;
    delete columns.given_name;
  }
  return columns;
}

type Options = {
  columns: Columns;
  /** of rows without a role */
  role: Role;
  /** see readPhone */
  country: string | null;
};

/** Reads the people of a plain CSV file, one per row with up to two guardians. */
export async function readPlainRoster(
  { file, heads, rows }: Table,
  { columns, role, country }: Options,
  directory: Directory,
): Promise<Roster> {
  const at = new Map(Object.entries(columns).map(([field, head]) => [field, heads.indexOf(head)]));
  const people = new Map<string, RosterPerson>();
  const conflicts: Conflict[] = [];
  const skipped = new Set<string>();
  const identify = identifier(directory.people.values());
  const namesakes = mapBy([...directory.people.values()], ({ name }) => [foldedName(name)]);

  const has = (field: RosterField) => at.has(field);
  const cell = ({ cells }: TableRow, field: RosterField): string => (cells[at.get(field) ?? -1] ?? '').trim();
  const report = ({ row }: TableRow, field: RosterField, rule: Conflict['rule'], value: string, isSkipped = false) =>
    void conflicts.push({ file, row, field, rule, value: value.slice(0, 100), skipped: isSkipped });

  /** An address of a row: null if the cell is empty, undefined if it is invalid or the file has no such column. */
  const address = (row: TableRow, field: RosterField, rule: 'email' | 'phone'): string | null | undefined => {
    const text = cell(row, field);
    if (text === '') return has(field) ? null : undefined;
    const found = rule === 'email' ? readEmail(text) : readPhone(text, country);
    if (found === null) report(row, field, rule, text);
    return found ?? undefined;
  };

  const groups = (row: TableRow, field: GroupList): string[] | undefined => {
    if (!has(field)) return undefined;
    return listedIn(cell(row, field), /[,;|]/).map((name) => {
      const isUnknown = field === 'class_ids' && directory.hasClasses && !directory.hasGroup(field, name);
      if (isUnknown) report(row, field, 'unknown_class', name);
      return directory.groupId(field, name);
    });
  };

  const addPerson = (row: TableRow) => {
    const name = cell(row, 'name') || [cell(row, 'given_name'), cell(row, 'family_name')].join(' ').trim();
    const email = address(row, 'email', 'email');
    const phone = address(row, 'phone', 'phone');
    const roleText = cell(row, 'role');
    const found = roleText === '' ? role : readRole(roleText);
    const own = cell(row, 'user_id');
    const user_id = name ? identify({ name, email, phone, roles: found ? [found] : ['student', 'staff'] }, own) : own;
    const skip = (field: RosterField, rule: Conflict['rule'], value = '') => {
      // A row without an id may mean anyone of this name.
      const meant = user_id ? [{ user_id }] : (namesakes.get(foldedName(name)) ?? []);
      for (const one of meant) skipped.add(one.user_id);
      // Of a row with faulty addresses the rest is not imported either.
      for (const one of conflicts.slice(-2)) one.skipped ||= one.row === row.row;
      report(row, field, rule, value, true);
    };
    if (name === '') return skip('name', 'required');
    if (found === null) return skip('role', 'role', roleText);
    if (!user_id) return skip('user_id', 'no_id', name);
    if (people.has(user_id)) return skip('user_id', 'duplicate', user_id);
    const known = {
      email,
      phone,
      class_ids: groups(row, 'class_ids'),
      grade_level_ids: groups(row, 'grade_level_ids'),
      department_ids: groups(row, 'department_ids'),
    };
    people.set(user_id, { user_id, name, roles: [found], file, row: row.row, ...defined(known) });
  };

  const guardiansOf = ({ user_id }: RosterPerson) => directory.people.get(user_id)?.guardians ?? [];
  /** The only one of these people who has this name. */
  const namesakeAmong = (ids: readonly string[], name: string): string | undefined => {
    const [one, ...more] = (namesakes.get(foldedName(name)) ?? []).filter(({ user_id }) => ids.includes(user_id));
    return more.length === 0 ? one?.user_id : undefined;
  };

  /** The ids of a guardian of a row, none if its cells are empty; undefined: they are refused. */
  const guardianOf = (row: TableRow, one: (typeof GUARDIANS)[number], child: RosterPerson): string[] | undefined => {
    const field = (name: (typeof OF_GUARDIAN)[number]) => `${one}_${name}` as const;
    const refuse = (part: (typeof OF_GUARDIAN)[number], rule: Conflict['rule'], value = '') =>
      report(row, field(part), rule, value);
    const name = cell(row, field('name'));
    if (OF_GUARDIAN.every((part) => cell(row, field(part)) === '')) return [];
    if (name === '') return refuse('name', 'required');
    const email = address(row, field('email'), 'email');
    const phone = address(row, field('phone'), 'phone');
    const alike = namesakeAmong(guardiansOf(child), name);
    const user_id = identify({ name, email, phone, roles: ['parent'] }, cell(row, field('id')), alike);
    if (!user_id) return refuse('email', 'no_id', name);
    if (user_id === child.user_id) return refuse('name', 'own_guardian', name);
    const person: RosterPerson = people.get(user_id) ?? { user_id, name, roles: [], file, row: row.row };
    person.roles = [...new Set<Role>([...person.roles, 'parent'])];
    Object.assign(person, defined({ email: person.email ?? email, phone: person.phone ?? phone }));
    people.set(user_id, person);
    return [user_id];
  };

  await inTurns(rows, addPerson);
  if (GUARDIANS.some((one) => has(`${one}_name`))) {
    const children = new Map([...people.values()].map((person) => [person.row, person]));
    const isNew = ({ row }: TableRow) => !directory.people.has(children.get(row)?.user_id ?? '');
    // A guardian with a new address is found by the child whom the directory knows, and then has an id for the others.
    const knownFirst = [...rows].sort((a, b) => Number(isNew(a)) - Number(isNew(b)));
    await inTurns(knownFirst, (row) => {
      const child = children.get(row.row);
      if (!child) return;
      const found = GUARDIANS.map((one) => guardianOf(row, one, child));
      // A refused guardian may be any of those in the directory, so all of them stay.
      const kept = found.includes(undefined) ? guardiansOf(child) : [];
      for (const id of kept) skipped.add(id);
      child.guardians = [...new Set([...found.flatMap((ids) => ids ?? []), ...kept])];
    });
  }
  return { people: [...people.values()], conflicts, skipped };
}

const defined = <T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
