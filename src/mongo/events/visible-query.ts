import type { Groups } from '../../people/caller.ts';
import type { VisibleEvents } from '../../people/visible-events.ts';
import { forTerm, type RestrictedList, term } from './event-row.ts';

export type Query = Record<string, unknown>;

/** Matches exactly the visible events, and never an event of another tenant or school. */
export function visibleQuery(visible: VisibleEvents): Query {
  const { school_id, tenant_id, all, organizer_id, levels, restricted } = visible;
  const scope = { school_id, tenant_id, deleted_at: null };
  if (all) return scope;
  const shown = shownQuery(visible);
  const alternatives: Query[] = [{ ...shown, visibility: { $in: levels } }];
  if (organizer_id !== null) alternatives.push({ organizer_id });
  if (restricted) {
    const named = { 'restricted_to.user_ids': { $in: restricted.user_ids } };
    alternatives.push({ ...shown, visibility: 'restricted', $or: [named, ...restricted.groups.map(fits)] });
  }
  return { ...scope, $or: alternatives };
}

/** Matches what a viewer sees without being the organizer, at the levels of the viewer. */
export const levelQuery = (visible: VisibleEvents): Query =>
  visible.all ? {} : { ...shownQuery(visible), visibility: { $in: visible.levels } };

const shownQuery = ({ statuses, inactive }: VisibleEvents): Query => ({
  status: 'only' in statuses ? { $in: statuses.only } : { $nin: statuses.except },
  ...(inactive ? {} : { is_active: true }),
});

const LISTS: readonly RestrictedList[] = ['roles', 'class_ids', 'grade_level_ids', 'department_ids'];

/** At least one list is set, and every list that is set contains a value of this person. */
function fits(group: Groups): Query {
  const first = (list: RestrictedList) => `restricted_to.${list}.0`;
  const every = LISTS.map((list) => ({
    $or: [{ [first(list)]: { $exists: false } }, { [`restricted_to.${list}`]: { $in: group[list] } }],
  }));
  return { $and: [{ $or: LISTS.map((list) => ({ [first(list)]: { $exists: true } })) }, ...every] };
}

/**
 * Terms of which every visible event has at least one, so that a caller who sees few of many events uses the index; null
 * for callers who see everything.
 */
export function visibilityTerms({ all, organizer_id, levels, restricted }: VisibleEvents): string[] | null {
  if (all) return null;
  const found = levels.map((level) => term('seen', level));
  if (organizer_id !== null) found.push(term('organizer', organizer_id));
  for (const id of restricted?.user_ids ?? []) found.push(forTerm('user_ids', id));
  for (const group of restricted?.groups ?? []) {
    for (const list of LISTS) for (const value of group[list]) found.push(forTerm(list, value));
  }
  return [...new Set(found)];
}
