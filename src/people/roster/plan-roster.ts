import type { FieldFault } from '../../core/errors.ts';
import { byUserId } from '../../core/groups.ts';
import { inTurns } from '../../core/micro-batch.ts';
import { pick } from '../../core/objects.ts';
import { searchWords } from '../../core/plain-text.ts';
import { NO_GROUPS, type Role, type Scope } from '../caller.ts';
import { type Contact, type ContactInput, completed, PUT_CONTACT, sameAddressForm } from '../contact.ts';
import type { Conflict, Roster, RosterPerson } from './roster.ts';

export const CHANGED_FIELDS = [
  'name',
  'email',
  'phone',
  'roles',
  'class_ids',
  'grade_level_ids',
  'department_ids',
  'guardians',
] as const satisfies readonly (keyof Contact)[];
type ChangedField = (typeof CHANGED_FIELDS)[number];

/** What an import does to the directory. */
export type RosterPlan = {
  added: Contact[];
  changed: { contact: Contact; fields: ChangedField[] }[];
  returned: Contact[];
  left: Contact[];
  unchanged: number;
  /** only marked as people of the roster */
  marked: Contact[];
  conflicts: Conflict[];
  /** the people of earlier rosters who could leave by this one */
  could_leave: number;
};

/**
 * Compares a roster with the directory. A roster decides about the roles that occur in it: a person of an earlier roster who is
 * missing loses these roles, and has left if none remains. Everyone else stays as they are.
 */
export async function planRoster(
  scope: Scope,
  contacts: readonly Contact[],
  roster: Roster,
  { now, faultsOf }: { now: Date; faultsOf: (contact: unknown) => FieldFault[] },
): Promise<RosterPlan> {
  const before = byUserId(contacts);
  const decided = new Set<Role>(roster.people.flatMap(({ roles }) => roles));
  const others = (roles: readonly Role[]) => roles.filter((role) => !decided.has(role));
  // The row of a pupil that is refused may name the guardians too.
  const refused = [...roster.skipped].flatMap((id) => [id, ...(before.get(id)?.guardians ?? [])]);
  const named = new Set([...roster.people.map(({ user_id }) => user_id), ...refused]);
  const plan: RosterPlan = {
    added: [],
    changed: [],
    returned: [],
    left: [],
    unchanged: 0,
    marked: [],
    conflicts: [...roster.conflicts, ...sharedAddresses(roster.people)],
    could_leave: 0,
  };
  await inTurns(roster.people, (person) => {
    const known = before.get(person.user_id);
    const input = merged(person, known, others(known?.roles ?? []));
    const faults = faultsOf(input);
    if (faults.length > 0) {
      plan.conflicts.push(
        ...faults.map(({ pointer, message }) => conflictOf(person, pointer.slice(1), 'invalid', message, true)),
      );
      return;
    }
    if (known && !sharesWord(known.name, person.name))
      plan.conflicts.push(conflictOf(person, 'user_id', 'other_name', known.name));
    planPerson(plan, known, { ...scope, ...completed(input), updated_at: now, in_roster: true });
  });
  const rostered = contacts.filter(({ in_roster, left_at }) => in_roster && !left_at);
  const couldLeave = rostered.filter(({ roles }) => roles.some((role) => decided.has(role)));
  plan.could_leave = couldLeave.length;
  for (const contact of couldLeave.filter(({ user_id }) => !named.has(user_id))) {
    const roles = others(contact.roles);
    if (roles.length === 0) plan.left.push({ ...contact, left_at: now, updated_at: now });
    else {
      // Classes and departments are those of a teacher or a pupil.
      const groups = roles.every((role) => role === 'parent') ? NO_GROUPS : {};
      const after = { ...contact, ...groups, roles, updated_at: now };
      plan.changed.push({ contact: after, fields: changedFields(contact, after) });
    }
  }
  return plan;
}

/** Adds a valid person of the roster to the plan. */
function planPerson(plan: RosterPlan, known: Contact | undefined, after: Contact): void {
  if (!known) plan.added.push(after);
  else if (known.left_at) plan.returned.push(after);
  else {
    const fields = changedFields(known, after);
    if (fields.length > 0) plan.changed.push({ contact: after, fields });
    else plan.unchanged += 1;
    if (fields.length === 0 && !known.in_roster) plan.marked.push({ ...known, in_roster: true });
  }
}

const PUT_FIELDS = Object.keys(PUT_CONTACT.properties) as (keyof typeof PUT_CONTACT.properties)[];

/** The contact with the values of the roster, and otherwise those of the directory. */
function merged(person: RosterPerson, known: Contact | undefined, kept: readonly Role[]): ContactInput {
  const { file: _, row: __, roles, ...given } = person;
  return { ...(known && pick(known, PUT_FIELDS)), ...given, roles: [...kept, ...roles] };
}

function changedFields(before: Contact, after: Contact): ChangedField[] {
  const form = (value: Contact[ChangedField]) => JSON.stringify(Array.isArray(value) ? [...value].sort() : value);
  return CHANGED_FIELDS.filter((field) => form(before[field]) !== form(after[field]));
}

/** Whether two names share a word, as they do after a marriage. Some programs reuse the id of someone who has left. */
const sharesWord = (name: string, other: string): boolean => {
  const words = searchWords(other);
  return searchWords(name).some((word) => words.includes(word));
};

/** @param skipped whether the row is not imported */
const conflictOf = (
  { file, row }: RosterPerson,
  field: string,
  rule: Conflict['rule'],
  value: string,
  skipped = false,
): Conflict => ({ file, row, field, rule, value, skipped });

/** One conflict for each further person of an e-mail address: they are imported, and get one message together. */
function sharedAddresses(people: readonly RosterPerson[]): Conflict[] {
  const owners = new Set<string>();
  return people.flatMap((person) => {
    const { email } = person;
    if (!email) return [];
    const form = sameAddressForm(email);
    const isShared = owners.has(form);
    owners.add(form);
    return isShared ? conflictOf(person, 'email', 'same_email', email) : [];
  });
}
