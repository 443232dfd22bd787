import { byUserId, mapBy } from '../core/groups.ts';
import type { Role, Scope } from './caller.ts';
import type { Contact } from './contact.ts';
import type { ContactStore } from './ports.ts';
import { maySee, type Seen, type Viewer } from './visibility.ts';

const ROLES_OF = {
  students: ['student'],
  parents: ['parent'],
  staff: ['staff', 'admin'],
  external: ['external'],
} as const;

/** The fields of an event that decide for whom it is. */
export type Addressed = Seen & {
  target_audience: readonly ('all' | keyof typeof ROLES_OF)[];
  class_id: string | null;
  grade_level_ids: readonly string[];
};

/** Roles of a target audience, for the directory query; null for everyone. */
export function rolesOfAudience(event: Pick<Addressed, 'target_audience'>): Role[] | null {
  if (event.target_audience.includes('all') || event.target_audience.length === 0) return null;
  return event.target_audience.flatMap((audience) => (audience === 'all' ? [] : [...ROLES_OF[audience]]));
}

/** Why an announcement is not for a contact. */
export type NotAddressed = 'other_audience' | 'other_class' | 'may_not_see';

/**
 * Why a contact does not get the announcement of an event; null: audience, class and grade match, and the contact may see the
 * event (docs/decisions.md, "Recipients"). A parent also matches through a child.
 */
export function reasonNotAddressed(
  contact: Contact,
  children: readonly Contact[],
  event: Addressed,
): NotAddressed | null {
  const roles = rolesOfAudience(event);
  if (roles && !contact.roles.some((role) => roles.includes(role))) return 'other_audience';
  if (![contact, ...children].some((person) => isInClassAndGrade(person, event))) return 'other_class';
  return maySee({ ...contact, children }, event) ? null : 'may_not_see';
}

export const isInAudience = (...given: Parameters<typeof reasonNotAddressed>): boolean =>
  reasonNotAddressed(...given) === null;

/** A student is no guardian, so there is no search for children of one. */
export const isOnlyStudent = ({ roles }: Pick<Viewer, 'roles'>): boolean => roles.every((role) => role === 'student');

/** Loads the children of those among these people who are more than students, by each of their guardians. */
export async function loadChildren(
  { contacts }: { contacts: Pick<ContactStore, 'findChildren'> },
  scope: Scope,
  people: readonly { user_id: string; roles: readonly Role[] }[],
): Promise<ReadonlyMap<string, Contact[]>> {
  const adults = new Set(people.flatMap((one) => (isOnlyStudent(one) ? [] : one.user_id)));
  const children = adults.size > 0 ? await contacts.findChildren(scope, [...adults]) : [];
  return mapBy(children, ({ guardians }) => guardians.filter((id) => adults.has(id)));
}

/** The people of the directory among these ids, which may repeat. */
export async function loadContacts(
  { contacts }: { contacts: Pick<ContactStore, 'findMany'> },
  scope: Scope,
  user_ids: readonly string[],
): Promise<ReadonlyMap<string, Contact>> {
  return byUserId(await contacts.findMany(scope, [...new Set(user_ids)]));
}

/** Loads the guardians of these people, without those who have left the school. @returns the guardians of one of them */
export async function loadGuardians(
  deps: { contacts: Pick<ContactStore, 'findMany'> },
  scope: Scope,
  people: readonly Pick<Contact, 'guardians'>[],
): Promise<(person: Pick<Contact, 'guardians'>) => Contact[]> {
  const ids = people.flatMap(({ guardians }) => guardians);
  const known = await loadContacts(deps, scope, ids);
  return ({ guardians }) => guardians.flatMap((id) => known.get(id) ?? []).filter(({ left_at }) => !left_at);
}

/** Whether the event is for this person's class and grade, or for all classes and grades. */
export const isInClassAndGrade = (
  person: Pick<Viewer, 'class_ids' | 'grade_level_ids'>,
  event: Pick<Addressed, 'class_id' | 'grade_level_ids'>,
): boolean =>
  (event.class_id === null || person.class_ids.includes(event.class_id)) &&
  (event.grade_level_ids.length === 0 || person.grade_level_ids.some((grade) => event.grade_level_ids.includes(grade)));
