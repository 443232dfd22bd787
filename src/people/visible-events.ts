import { type Groups, groupsOf, type Scope, scopeOf } from './caller.ts';
import {
  actsOnAll,
  childIdsOf,
  childrenOf,
  isMember,
  isStaff,
  LEVELS,
  SHOWN_OUTSIDE,
  seesLevel,
  type Viewer,
  type Visibility,
} from './visibility.ts';

/**
 * The visibility rule as a query, so that a store can filter events. An event of this scope is visible if `all` is true or one
 * of these is:
 *
 * - its organizer is `organizer_id`
 * - its status matches, it is active or `inactive` is true, and its visibility is one of `levels`
 * - the same, it is restricted, and `restricted_to` contains one of `user_ids` or matches one of `groups`
 */
export type VisibleEvents = Scope & {
  all: boolean;
  organizer_id: string | null;
  /** whether inactive events are included: only staff see them */
  inactive: boolean;
  statuses: { except: readonly string[] } | { only: readonly string[] };
  levels: readonly Visibility[];
  /** `groups`: those of the viewer and of each child, each matched as a whole */
  restricted: { user_ids: readonly string[]; groups: readonly Groups[] } | null;
};

/** Derives the query from a viewer. A test compares its results with `maySee`. */
export function visibleTo(viewer: Viewer): VisibleEvents {
  const common = {
    ...scopeOf(viewer),
    all: actsOnAll(viewer),
    organizer_id: viewer.user_id,
    inactive: isStaff(viewer),
  };
  if (!isMember(viewer)) return { ...common, statuses: { only: SHOWN_OUTSIDE }, levels: ['public'], restricted: null };
  return {
    ...common,
    statuses: { except: ['draft'] },
    levels: LEVELS.filter((level) => seesLevel(viewer, level)),
    restricted: {
      user_ids: [viewer.user_id, ...childIdsOf(viewer)].filter((id) => id !== null),
      // Known children match with the viewer's roles too; of other children only the id is known.
      groups: [
        groupsOf(viewer),
        ...childrenOf(viewer)
          .filter((child) => typeof child !== 'string')
          .map((child) => groupsOf({ ...child, roles: [...viewer.roles, ...child.roles] })),
      ],
    },
  };
}

/** Every event of a school, drafts included: for rules that must not overlook what a caller may not see. */
export const everyEvent = (scope: Scope): VisibleEvents => ({
  ...scopeOf(scope),
  all: true,
  organizer_id: null,
  inactive: true,
  statuses: { except: [] },
  levels: [],
  restricted: null,
});
