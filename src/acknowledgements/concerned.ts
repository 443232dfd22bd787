import { byUserId } from '../core/groups.ts';
import {
  type Addressed,
  isInAudience,
  isInClassAndGrade,
  loadChildren,
  loadGuardians,
  rolesOfAudience,
} from '../people/audience.ts';
import type { Scope } from '../people/caller.ts';
import type { Contact } from '../people/contact.ts';
import type { ContactStore } from '../people/ports.ts';
import { maySee } from '../people/visibility.ts';

/** A person who should have read it, with all who can confirm that: a student's guardians too. */
type Concerned = { person: Contact; readers: Contact[] };

/**
 * The people for whom a reader can confirm: the students among the reader and the reader's children whom it concerns, and an
 * adult reader who is in the audience otherwise than as their parent. Empty for readers whom it does not concern.
 */
export function concernedBy(reader: Contact, children: readonly Contact[], event: Addressed): Contact[] {
  const own = children.filter((child) => isConcernedStudent(child, event));
  return isConcerned(reader, own, children, event) ? [reader, ...own] : own;
}

function isConcerned(
  reader: Contact,
  own: readonly Contact[],
  children: readonly Contact[],
  event: Addressed,
): boolean {
  if (reader.roles.includes('student')) return isConcernedStudent(reader, event);
  if (!isInAudience(reader, children, event)) return false;
  const roles = rolesOfAudience(event);
  const isMore = reader.roles.some((role) => role !== 'parent' && (roles === null || roles.includes(role)));
  return own.length === 0 || (isMore && isInClassAndGrade(reader, event));
}

/** A message to parents concerns the student, also if the directory has no parents. */
function isConcernedStudent(person: Contact, event: Addressed): boolean {
  const roles = rolesOfAudience(event);
  const isFor = (role: 'student' | 'parent') => roles === null || roles.includes(role);
  if (!person.roles.includes('student') || !(isFor('student') || isFor('parent'))) return false;
  const viewer = isFor('parent') ? { ...person, roles: [...person.roles, 'parent' as const] } : person;
  return isInClassAndGrade(person, event) && maySee(viewer, event);
}

type Deps = { contacts: ContactStore };

const BATCH = 1_000;

/** Reads everyone who should have read it, in the order of the directory, as if it were published. */
export async function* readConcerned(deps: Deps, of: Addressed): AsyncGenerator<Concerned> {
  const event = { ...of, status: 'published' };
  const roles = rolesOfAudience(event);
  const filter = { roles: roles?.includes('parent') ? [...roles, 'student'] : roles };
  for (let after: string | null = null; ; ) {
    const page: Contact[] = await deps.contacts.findPage(event, { after, until: null }, BATCH, filter);
    const [children, guardiansOf] = await Promise.all([
      loadChildren(deps, event, page),
      loadGuardians(deps, event, page),
    ]);
    for (const person of page) {
      if (!concernedBy(person, children.get(person.user_id) ?? [], event).includes(person)) continue;
      yield { person, readers: [...guardiansOf(person), person] };
    }
    if (page.length < BATCH) return;
    after = page.at(-1)?.user_id ?? null;
  }
}

/** Loads these readers with their children. @returns the people for whom any of them can confirm an event */
export async function loadConcernedBy(
  deps: Deps,
  scope: Scope,
  reader_ids: readonly string[],
): Promise<(event: Addressed) => Contact[]> {
  const readers = await deps.contacts.findMany(scope, reader_ids);
  const childrenOf = await loadChildren(deps, scope, readers);
  return (event) => {
    const concerned = readers.flatMap((one) => concernedBy(one, childrenOf.get(one.user_id) ?? [], event));
    return [...byUserId(concerned).values()];
  };
}
