import type { Clock } from '../core/clock.ts';
import { notFound, Refused } from '../core/errors.ts';
import {
  type Caller,
  groupsOf,
  may,
  mustBeAllowed,
  NO_GROUPS,
  PERMISSIONS,
  type Role,
  type Scope,
  scopeOf,
} from './caller.ts';
import type { ContactStore } from './ports.ts';
import { isStaff } from './visibility.ts';

/** Whom a member of staff views the school as: anyone with a role, or one person of the directory. */
export type ViewTarget = { role: Role } | { user_id: string };

/** The record that a member of staff began to view as someone else. */
export type ViewStart = Scope & {
  /** the member of staff */
  by: string;
  /** null: as a person */
  role: Role | null;
  /** null: as a role */
  user_id: string | null;
  at: Date;
};

export type ViewStartStore = {
  /** Stores the first start of each session; later ones change nothing. */
  record(start: ViewStart, session: string): Promise<void>;
  /** The newest starts of views as this person. */
  listOfPerson(scope: Scope, user_id: string, limit: number): Promise<ViewStart[]>;
};

/** The caller must be allowed to see all events and registrations, so that no view shows more. */
const NEEDED = ['view_as', 'update_event', 'manage_registrations'] as const;

/** Whether a member of staff may view the school as anyone. */
export const mayViewAs = (caller: Caller): boolean => NEEDED.every((one) => may(caller, one));

type Deps = { clock: Clock; contacts: Pick<ContactStore, 'find'>; viewStarts: Pick<ViewStartStore, 'record'> };

/**
 * The caller as whom a member of staff sees the school: with the roles and groups of the target in the caller's own school, and
 * with no permission but `events.view`, if the caller has it. Records the start, once for each target and session.
 * @throws Refused `forbidden`, `not_found`
 */
export async function viewAs(deps: Deps, caller: Caller, target: ViewTarget): Promise<Caller> {
  for (const needed of NEEDED) mustBeAllowed(caller, needed);
  const viewer =
    'role' in target
      ? // No person has an empty id, so a role organizes nothing and has no messages.
        { ...NO_GROUPS, user_id: '', roles: [target.role] }
      : await loadPerson(deps, caller, target.user_id);
  const { role = null, user_id = null } = target as { role?: Role; user_id?: string };
  const start = { ...scopeOf(caller), by: caller.user_id, role, user_id, at: deps.clock.now() };
  await deps.viewStarts.record(start, caller.expires_at?.toISOString() ?? '');
  return {
    ...scopeOf(caller),
    ...viewer,
    permissions: may(caller, 'view_events') ? PERMISSIONS.view_events : [],
    children: [],
    reads_only: true,
  };
}

async function loadPerson({ contacts }: Deps, caller: Caller, id: string) {
  const contact = await contacts.find(scopeOf(caller), id);
  if (!contact || contact.left_at) throw notFound();
  // The inbox of a colleague may hold what the caller must not read.
  if (isStaff(contact))
    throw new Refused({ code: 'forbidden', detail: 'You can’t view as a colleague. View as the role staff instead.' });
  return { user_id: id, ...groupsOf(contact) };
}
