import type { Clock } from '../core/clock.ts';
import { keepLatest } from '../core/groups.ts';
import { createLoader } from '../core/micro-batch.ts';
import { type Caller, type Scope, scopeKey, scopeOf } from './caller.ts';
import type { Contact } from './contact.ts';
import type { ContactStore } from './ports.ts';
import type { Group } from './visible-events.ts';

type Deps = { clock: Clock; contacts: Pick<ContactStore, 'findMany' | 'childrenOf'> };

/** The data that the directory adds to a token. */
type Known = { own: Omit<Group, 'roles'>; children: NonNullable<Caller['known_children']> };

const CACHE_MS = 10_000;
const CACHE_SIZE = 5_000;

/**
 * Completes callers from the directory, so that everyone who is notified of an event may also open it: adds the children who
 * name them as guardian to those of the token, and their own classes if the token names none. Roles and permissions come only
 * from the token. Concurrent lookups share one query; results are cached for seconds, for the latest few thousand callers.
 */
export function knownCallers(deps: Deps): (caller: Caller) => Promise<Caller> {
  const cache = new Map<string, { known: Known; until: number }>();
  const load = createLoader(scopeKey, (scope: Scope, callers: readonly Caller[]) => loadKnown(deps, scope, callers));
  return async (caller) => {
    const key = JSON.stringify([caller.tenant_id, caller.school_id, caller.user_id, caller.children]);
    const now = deps.clock.now().getTime();
    let found = cache.get(key);
    if (!found || found.until <= now) {
      found = { known: await load(scopeOf(caller), caller), until: now + CACHE_MS };
      keepLatest(cache, key, found, CACHE_SIZE);
    }
    const { own, children } = found.known;
    const ids = children.map(({ user_id }) => user_id);
    return { ...caller, ...(namesNoGroup(caller) ? own : {}), children: ids, known_children: children };
  };
}

const namesNoGroup = ({ class_ids, grade_level_ids, department_ids }: Caller): boolean =>
  class_ids.length + grade_level_ids.length + department_ids.length === 0;

const isOnlyStudent = ({ roles }: Caller): boolean => roles.every((role) => role === 'student');

async function loadKnown(deps: Deps, scope: Scope, callers: readonly Caller[]): Promise<(caller: Caller) => Known> {
  const adults = callers.filter((caller) => !isOnlyStudent(caller));
  const wanted = callers.flatMap((caller) => [...(namesNoGroup(caller) ? [caller.user_id] : []), ...caller.children]);
  const [found, children] = await Promise.all([
    deps.contacts.findMany(scope, [...new Set(wanted)]),
    adults.length > 0 ? deps.contacts.childrenOf(scope, [...new Set(adults.map(({ user_id }) => user_id))]) : [],
  ]);
  const byId = new Map(found.filter(({ left_at }) => !left_at).map((contact) => [contact.user_id, contact]));
  return (caller) => {
    const guarded = isOnlyStudent(caller)
      ? []
      : children.filter(({ guardians }) => guardians.includes(caller.user_id)).map(childOf);
    const named = caller.children.map((id) => {
      const contact = byId.get(id);
      return contact ? childOf(contact) : unknownChild(id);
    });
    const all = new Map([...named, ...guarded].map((child) => [child.user_id, child]));
    return { own: groupOf(byId.get(caller.user_id)), children: [...all.values()] };
  };
}

const groupOf = (contact: Contact | undefined) => ({
  class_ids: contact?.class_ids ?? [],
  grade_level_ids: contact?.grade_level_ids ?? [],
  department_ids: contact?.department_ids ?? [],
});

const childOf = (contact: Contact) => ({ user_id: contact.user_id, roles: contact.roles, ...groupOf(contact) });

/** A child that only the token names: the directory may know neither roles nor groups. */
const unknownChild = (user_id: string) => ({ user_id, roles: [], ...groupOf(undefined) });
