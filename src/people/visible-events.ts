import { ROLES, type Role, type Scope, scopeOf } from './caller.ts';
import { childrenOf, SHOWN_OUTSIDE, type Viewer, type Visibility } from './visibility.ts';

/** What one person brings along to meet the lists of a restricted event. */
export type Group = Pick<Viewer, 'roles' | 'class_ids' | 'grade_level_ids' | 'department_ids'>;

/**
 * Which events a viewer may see, described instead of asked event by event, so that a store can look for them. An event
 * is visible when it is of this scope and `all` holds or any alternative does:
 *
 * - its organizer is `organizer_id`
 * - its status is shown and its visibility is one of `levels`
 * - its status is shown, it is restricted, and `restricted_to` names one of `user_ids` or fits one of `groups`
 */
export type VisibleEvents = Scope & {
  all: boolean;
  organizer_id: string | null;
  statuses: { except: readonly string[] } | { only: readonly string[] };
  levels: readonly Visibility[];
  restricted: { user_ids: readonly string[]; groups: readonly Group[] } | null;
};

const LEVELS: readonly (readonly [Visibility, readonly Role[]])[] = [
  ['public', ROLES],
  ['internal', ROLES],
  ['staff_only', ['staff', 'admin']],
  ['students_only', ['student']],
  ['parents_only', ['parent']],
];

/** `maySee` for a store: a test compares the two over random viewers and events. `maySee` has the last word. */
export function visibleTo(viewer: Viewer): VisibleEvents {
  const common = {
    ...scopeOf(viewer),
    all: viewer.permissions?.includes('events.update') ?? false,
    organizer_id: viewer.user_id,
  };
  const member = viewer.roles.some((role) => role !== 'external');
  if (!member) return { ...common, statuses: { only: SHOWN_OUTSIDE }, levels: ['public'], restricted: null };
  const children = childrenOf(viewer);
  const user_ids = [viewer.user_id, ...children.map((child) => (typeof child === 'string' ? child : child.user_id))];
  return {
    ...common,
    statuses: { except: ['draft'] },
    levels: LEVELS.filter(([, roles]) => roles.some((role) => viewer.roles.includes(role))).map(([level]) => level),
    restricted: {
      user_ids: user_ids.filter((id) => id !== null),
      // Of a child that is only an id, classes and grades aren't known; one that is known brings the viewer's roles along.
      groups: [
        groupOf(viewer),
        ...children
          .filter((child) => typeof child !== 'string')
          .map((child) => groupOf({ ...child, roles: [...viewer.roles, ...child.roles] })),
      ],
    },
  };
}

const groupOf = ({ roles, class_ids, grade_level_ids, department_ids }: Group): Group => ({
  roles,
  class_ids,
  grade_level_ids,
  department_ids,
});
