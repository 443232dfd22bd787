import { type Child, GROUP_LISTS, type Groups, isSameSchool, ROLES, type Role, type Scope } from './caller.ts';

/** The levels of visibility, with their icons. */
export const VISIBILITIES = {
  public: { icon: 'Globe', seen_by: 'everyone, including external visitors' },
  internal: { icon: 'Users', seen_by: 'all school members' },
  staff_only: { icon: 'UserCheck', seen_by: 'staff members only' },
  students_only: { icon: 'GraduationCap', seen_by: 'students only' },
  parents_only: { icon: 'UserCircle', seen_by: 'parents and guardians only' },
  restricted: { icon: 'Lock', seen_by: 'limited by specific criteria' },
} as const;

export type Visibility = keyof typeof VISIBILITIES;

type Level = Exclude<Visibility, 'restricted'>;

/** The roles that see the events of a level, of the members of a school. */
const SEEN_BY: Readonly<Record<Level, readonly Role[]>> = {
  public: ROLES,
  internal: ROLES,
  staff_only: ['staff', 'admin'],
  students_only: ['student'],
  parents_only: ['parent'],
};

export const LEVELS = Object.keys(SEEN_BY) as Level[];

/** Whether a member of a school sees the events of a level. */
export const seesLevel = ({ roles }: Pick<Viewer, 'roles'>, level: Level): boolean =>
  SEEN_BY[level].some((role) => roles.includes(role));

/** The criteria of `restricted` (docs/decisions.md, "Restricted"). */
export type RestrictedTo = Partial<Groups> & { user_ids?: string[] };

/** The lists that limit who sees a restricted event, the narrowest first. */
export const RESTRICTION_LISTS = [...GROUP_LISTS, 'roles'] as const;
export type RestrictionList = (typeof RESTRICTION_LISTS)[number];

/** The fields of an event that decide who may see it. */
export type Seen = Scope & {
  status: string;
  /** false: hidden from everyone but staff */
  is_active: boolean;
  visibility: Visibility;
  organizer_id?: string | null;
  restricted_to?: RestrictedTo | null;
};

/** The fields that decide who sees an event. */
export const SEEN_FIELDS = [
  'tenant_id',
  'school_id',
  'status',
  'is_active',
  'visibility',
  'organizer_id',
  'restricted_to',
] as const satisfies readonly (keyof Seen)[];

/**
 * A caller or a contact of the directory. A parent also matches through `children`, with the classes and grades of the
 * children if known.
 */
export type Viewer = Scope &
  Groups & {
    user_id: string | null;
    permissions?: readonly string[];
    children?: readonly (string | Child)[];
    /** of a caller: all of `children` with their groups */
    known_children?: readonly Child[];
  };

/** All children of a viewer; an unknown child is only an id. */
export const childrenOf = ({ children = [], known_children }: Viewer): NonNullable<Viewer['children']> =>
  known_children ?? children;

/** The ids of all children of a viewer. */
export const childIdsOf = (viewer: Viewer): string[] =>
  childrenOf(viewer).map((child) => (typeof child === 'string' ? child : child.user_id));

/** Permissions to act on every event of the school, which needs seeing them all, drafts included. */
const ACTING = ['events.update', 'events.publish', 'events.cancel', 'events.delete'];

export const actsOnAll = ({ permissions = [] }: Pick<Viewer, 'permissions'>): boolean =>
  ACTING.some((permission) => permissions.includes(permission));

export const isStaff = ({ roles }: Pick<Viewer, 'roles'>): boolean =>
  roles.includes('staff') || roles.includes('admin');

/** Whether a viewer is more than an external visitor. */
export const isMember = ({ roles }: Pick<Viewer, 'roles'>): boolean => roles.some((role) => role !== 'external');

/** The statuses that external visitors may see (docs/decisions.md, "External visitors"). */
export const SHOWN_OUTSIDE: readonly string[] = ['published', 'in_progress', 'completed', 'cancelled', 'postponed'];

/**
 * The only visibility rule (docs/decisions.md, "One rule everywhere"), used by lists, details, calendars, statistics, feeds,
 * registration and audiences. Drafts are visible to those who may act on all events, and to the organizer.
 */
export function maySee(viewer: Viewer, event: Seen): boolean {
  if (!isSameSchool(viewer, event)) return false;
  if (actsOnAll(viewer)) return true;
  if (viewer.user_id !== null && viewer.user_id === event.organizer_id) return true;
  if (event.status === 'draft' || (!event.is_active && !isStaff(viewer))) return false;
  if (!isMember(viewer)) return event.visibility === 'public' && SHOWN_OUTSIDE.includes(event.status);
  if (event.visibility === 'restricted') return matchesRestriction(viewer, event.restricted_to ?? {});
  return seesLevel(viewer, event.visibility);
}

/**
 * Whether a person may open an event that a message or a link leads them to: they may see it, or they are a guardian of a
 * student and students may see it. Lists and calendars show only events for the person.
 */
export const mayOpen = (viewer: Viewer, event: Seen): boolean =>
  maySee(viewer, event) ||
  (childrenOf(viewer).some((child) => typeof child !== 'string' && child.roles.includes('student')) &&
    maySee({ ...viewer, roles: [...viewer.roles, 'student'] }, event));

function matchesRestriction(viewer: Viewer, limits: RestrictedTo): boolean {
  if (matchesOwn(viewer, limits)) return true;
  return childrenOf(viewer).some((child) =>
    typeof child === 'string'
      ? (limits.user_ids?.includes(child) ?? false)
      : matchesOwn({ ...child, roles: [...viewer.roles, ...child.roles] }, limits),
  );
}

function matchesOwn(who: Groups & Pick<Viewer, 'user_id'>, limits: RestrictedTo): boolean {
  if (who.user_id !== null && limits.user_ids?.includes(who.user_id)) return true;
  const given = RESTRICTION_LISTS.filter((list) => (limits[list]?.length ?? 0) > 0);
  const isIn = (list: RestrictionList) =>
    limits[list]?.some((value) => (who[list] as readonly string[]).includes(value));
  return given.length > 0 && given.every(isIn);
}
