import { fault, invalid } from '../core/errors.ts';
import { type Page, type Position, pageOf } from '../core/paging.ts';
import { searchWords } from '../core/search-words.ts';
import { type Caller, scopeOf } from './caller.ts';
import type { Contact } from './contact.ts';
import { mustBeAllowed } from './permissions.ts';
import type { ContactStore } from './ports.ts';

/** A person as organizers see them, without contact details. */
export type KnownPerson = Pick<
  Contact,
  'user_id' | 'name' | 'roles' | 'class_ids' | 'grade_level_ids' | 'department_ids'
>;

type Input = {
  /** word prefixes; the name must match all of them */
  q?: string | undefined;
  /** only these */
  user_ids?: readonly string[] | undefined;
  limit: number;
  after: Position | null;
  boundTo: unknown;
};

/**
 * Lists one page of the people of the caller's school by name, to choose an audience. Reads only.
 * @throws Refused `forbidden`, `validation_failed`
 */
export async function findPeople(
  deps: { contacts: Pick<ContactStore, 'search'> },
  caller: Caller,
  { q, user_ids, limit, after, boundTo }: Input,
): Promise<Page<KnownPerson>> {
  mustBeAllowed(caller, 'choose_audience');
  const words = q === undefined ? [] : searchWords(q);
  if (q !== undefined && words.length === 0)
    throw invalid([fault('/query/q', 'must contain at least one word', 'words')]);
  const found = await deps.contacts.search(scopeOf(caller), { words, user_ids, after, limit: limit + 1 });
  const page = pageOf(found, limit, ({ name, user_id }) => ({ at: name, id: user_id }), boundTo);
  return { ...page, data: page.data.map(knownPerson) };
}

const knownPerson = (contact: Contact): KnownPerson => {
  const { user_id, name, roles, class_ids, grade_level_ids, department_ids } = contact;
  return { user_id, name, roles, class_ids, grade_level_ids, department_ids };
};
