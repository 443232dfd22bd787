import { byUserId } from '../core/groups.ts';
import { createLoader } from '../core/micro-batch.ts';
import { isOnlyStudent, loadChildren } from './audience.ts';
import { type Caller, type Child, type Groups, groupsOf, NO_GROUPS, type Scope, scopeKey, scopeOf } from './caller.ts';
import type { ContactStore } from './ports.ts';

type Deps = { contacts: Pick<ContactStore, 'findMany' | 'findChildren'> };

/** The data that the directory adds to a token. */
type Known = { own: Omit<Groups, 'roles'>; children: readonly Child[] };

/**
 * Completes callers from the directory, so that everyone who is notified of an event may also open it: adds the children who
 * name them as guardian to those of the token, and their own classes if the token names none. Roles and permissions come only
 * from the token. Concurrent lookups share one query. Nothing is cached: a guardian who is entered or removed has or loses
 * the rights with the next request to any process.
 */
export function knownCallers(deps: Deps): (caller: Caller) => Promise<Caller> {
  const load = createLoader(scopeKey, (scope: Scope, callers: readonly Caller[]) => loadKnown(deps, scope, callers));
  return async (caller) => {
    const { own, children } = await load(scopeOf(caller), caller);
    const ids = children.map(({ user_id }) => user_id);
    return { ...caller, ...(namesNoGroup(caller) ? own : {}), children: ids, known_children: children };
  };
}

const namesNoGroup = ({ class_ids, grade_level_ids, department_ids }: Caller): boolean =>
  class_ids.length + grade_level_ids.length + department_ids.length === 0;

async function loadKnown(deps: Deps, scope: Scope, callers: readonly Caller[]): Promise<(caller: Caller) => Known> {
  const wanted = callers.flatMap((caller) => [...(namesNoGroup(caller) ? [caller.user_id] : []), ...caller.children]);
  const [found, children] = await Promise.all([
    deps.contacts.findMany(scope, [...new Set(wanted)]),
    loadChildren(deps, scope, callers),
  ]);
  const present = byUserId(found.filter(({ left_at }) => !left_at));
  return (caller) => {
    const guarded = (!isOnlyStudent(caller) && children.get(caller.user_id)) || [];
    const all = new Map([
      ...caller.children.map((id) => [id, { ...childOf(id, present.get(id)), only_in_token: true }] as const),
      ...guarded.map((child) => [child.user_id, childOf(child.user_id, child)] as const),
    ]);
    const { roles: _, ...own } = groupsOf(present.get(caller.user_id) ?? NO_GROUPS);
    return { own, children: [...all.values()] };
  };
}

/** The directory may know neither roles nor groups of a child that only the token names. */
const childOf = (user_id: string, contact: Groups = NO_GROUPS): Child => ({ user_id, ...groupsOf(contact) });
