import { invalidField } from '../core/errors.ts';
import { type Page, pageOf } from '../core/paging.ts';
import { searchWords } from '../core/plain-text.ts';
import { type Caller, type Groups, groupsOf, type Scope, scopeOf } from './caller.ts';
import type { Contact } from './contact.ts';
import type { ContactStore, PeopleSearch } from './ports.ts';

/** A person as organizers see them, without contact details. */
type KnownPerson = Pick<Contact, 'user_id' | 'name'> & Groups;

type Input = Omit<PeopleSearch, 'words'> & {
  /** word prefixes; the name must match all of them */
  q?: string | undefined;
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

/** The people of the directory among these ids, which may repeat. */
export async function loadContacts(
  { contacts }: { contacts: Pick<ContactStore, 'findMany'> },
  scope: Scope,
  user_ids: readonly string[],
): Promise<ReadonlyMap<string, Contact>> {
  const known = await contacts.findMany(scope, [...new Set(user_ids)]);
  return new Map(known.map((contact) => [contact.user_id, contact]));
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
