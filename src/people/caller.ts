import { type Refusal, Refused } from '../core/errors.ts';
import { pick } from '../core/objects.ts';

/** The lists of groups that a person belongs to, the smallest groups first. */
export const GROUP_LISTS = ['class_ids', 'grade_level_ids', 'department_ids'] as const;
export type GroupList = (typeof GROUP_LISTS)[number];

/** What a person is at the school: roles, classes, grades, departments. */
export type Groups = Readonly<Record<GroupList, readonly string[]>> & { readonly roles: readonly Role[] };

export const groupsOf = (person: Groups): Groups => pick(person, ['roles', ...GROUP_LISTS]);

export const NO_GROUPS: Groups = { roles: [], class_ids: [], grade_level_ids: [], department_ids: [] };

/** A child of a caller, with the groups that the directory knows. */
export type Child = Groups & {
  user_id: string;
  /** the directory does not name the caller as guardian */
  only_in_token?: true;
};

/** The caller, from the token (docs/decisions.md, "Identity"). Tenant and school come only from here. */
export type Caller = Groups &
  Scope & {
    user_id: string;
    permissions: readonly string[];
    /** user ids of the caller's children, by the token and by the directory */
    children: readonly string[];
    /** when the token expires */
    expires_at?: Date;
    /** staff view as this caller (view-as.ts): no action is offered */
    reads_only?: true;
    /** the same children with their groups */
    known_children?: readonly Child[];
  };

export const ROLES = ['admin', 'staff', 'student', 'parent', 'external'] as const;
export type Role = (typeof ROLES)[number];

/** Tenant and school: every query of the stores is limited to one. */
export type Scope = { tenant_id: string; school_id: string };

export const scopeOf = ({ tenant_id, school_id }: Scope): Scope => ({ tenant_id, school_id });

export const isSameSchool = (one: Scope, other: Scope): boolean =>
  one.tenant_id === other.tenant_id && one.school_id === other.school_id;

/** A school as a key of maps and rows; with the id of a person, or of something else of the school, the key of that. */
export const scopeKey = ({ tenant_id, school_id }: Scope, ...ids: readonly string[]): string =>
  JSON.stringify([tenant_id, school_id, ...ids]);

/** Who caused a fact: a person, or `system` for the clock and other workers. */
export type Actor = { user_id: string } | 'system';

export const actorOf = (caller: Caller): Actor => ({ user_id: caller.user_id });

/** The permissions; any one of a row is enough. */
export const PERMISSIONS = {
  view_events: ['events.view'],
  create_event: ['events.create'],
  update_event: ['events.update'],
  choose_audience: ['events.create', 'events.update'],
  delete_event: ['events.delete'],
  delete_any_event: ['events.delete.any'],
  publish_event: ['events.publish', 'events.update'],
  cancel_event: ['events.cancel', 'events.update'],
  manage_registrations: ['events.registrations.manage'],
  send_messages: ['events.messages.send', 'events.settings.manage'],
  use_saved_texts: ['events.messages.send', 'events.settings.manage', 'events.registrations.manage'],
  view_statistics: ['events.statistics.view', 'events.view'],
  /** to have statistics in the menu: families hardly need them */
  offer_statistics: ['events.statistics.view', 'events.registrations.manage'],
  manage_contacts: ['events.contacts.manage'],
  upload_files: ['events.create', 'events.update', 'events.settings.manage'],
  manage_settings: ['events.settings.manage'],
  manage_deliveries: ['events.deliveries.manage'],
  /** the queues of all schools of the installation */
  manage_queues: ['operations.queues'],
  ingest: ['events.ingest'],
  view_as: ['events.view_as'],
} as const satisfies Record<string, readonly string[]>;

export type Permission = keyof typeof PERMISSIONS;

export const PERMISSION_NAMES: readonly string[] = [...new Set(Object.values(PERMISSIONS).flat())];

export const may = (caller: Pick<Caller, 'permissions'>, permission: Permission): boolean =>
  PERMISSIONS[permission].some((name) => caller.permissions.includes(name));

/** The refusal of a caller who lacks a permission, which it names. */
export const forbiddenWithout = (permission: Permission): Refusal & { detail: string } => ({
  code: 'forbidden',
  detail: `You need the permission ${PERMISSIONS[permission].join(' or ')}. Ask an administrator for it.`,
});

/** @throws Refused `forbidden`, naming the missing permission */
export function mustBeAllowed(caller: Caller, permission: Permission): void {
  if (!may(caller, permission)) throw new Refused(forbiddenWithout(permission));
}
