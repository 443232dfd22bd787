import { invalidField } from '../core/errors.ts';
import { type Page, pageOf } from '../core/paging.ts';
import { searchWords } from '../core/plain-text.ts';
import { type Caller, type Groups, groupsOf, scopeOf } from './caller.ts';
import type { Contact } from './contact.ts';
import type { ContactStore, PeopleSearch } from './ports.ts';

/** A person as organizers see them, without contact details. */
type KnownPerson = Pick<Contact, 'user_id' | 'name'> & Groups;

type Input = Omit<PeopleSearch, 'words'> & {
  /** word prefixes; the name must match all of them */
  q?: string;
  boundTo: unknown;
};

type Deps = { contacts: Pick<ContactStore, 'search'> };

/**
 * Lists one page of the people of the caller's school by name, to choose an audience. Reads only.
 * @throws Refused `validation_failed`
 */
export async function findPeople(deps: Deps, caller: Caller, input: Input): Promise<Page<KnownPerson>> {
  // Events and messages may name people who have left since.
  const page = await listContacts(deps, caller, { ...input, left: input.user_ids ? undefined : false });
  return { ...page, data: page.data.map((one) => ({ user_id: one.user_id, name: one.name, ...groupsOf(one) })) };
}

/**
 * Lists one page of the directory of the caller's school by name, with addresses. Reads only.
 * @throws Refused `validation_failed`
 */
export async function listContacts(
  deps: Deps,
  caller: Caller,
  { q, boundTo, ...wanted }: Input,
): Promise<Page<Contact>> {
  const words = q === undefined ? [] : searchWords(q);
  if (q !== undefined && words.length === 0) throw invalidField('/query/q', 'must contain at least one word', 'words');
  const { limit } = wanted;
  const found = await deps.contacts.search(scopeOf(caller), { ...wanted, words, limit: limit + 1 });
  return pageOf(found, limit, ({ name, user_id }) => ({ at: name, id: user_id }), boundTo);
}
