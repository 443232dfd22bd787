import type { Options, SchoolEvent } from '../api/types.ts';
import { same } from '../parts/same.ts';

type Audience = SchoolEvent['target_audience'];

/** People and groups that may see a restricted event. */
export type Restriction = Required<NonNullable<SchoolEvent['restricted_to']>>;

export const NO_ONE: Restriction = { user_ids: [], roles: [], class_ids: [], grade_level_ids: [], department_ids: [] };

type For = Pick<SchoolEvent, 'target_audience' | 'class_id' | 'grade_level_ids'>;
type Seen = { visibility: SchoolEvent['visibility']; restricted_to: Restriction };

const ROLES = { students: ['student'], parents: ['parent'], staff: ['staff', 'admin'] } as const;
const LEVELS = { students: 'students_only', parents: 'parents_only', staff: 'staff_only' } as const;
const isRole = (one: Audience[number]): one is keyof typeof ROLES => one in ROLES;

/** Who can see an event that is for these people: the narrowest visibility that includes all of them. */
function visibilityFor(event: For & Pick<Seen, 'restricted_to'>): Seen {
  const { target_audience, class_id, grade_level_ids, restricted_to } = event;
  const audiences = target_audience.includes('all') ? [] : target_audience.filter(isRole);
  const hasGroups = Boolean(class_id) || grade_level_ids.length > 0;
  const only = audiences.length === 1 ? audiences[0] : undefined;
  if (target_audience.includes('external')) return { visibility: 'public', restricted_to };
  if (!hasGroups && audiences.length === 0) return { visibility: 'internal', restricted_to };
  if (!hasGroups && only) return { visibility: LEVELS[only], restricted_to };
  const roles: Options['roles'] = audiences.flatMap((one) => ROLES[one]);
  const class_ids = class_id ? [class_id] : [];
  return { visibility: 'restricted', restricted_to: { ...NO_ONE, roles, class_ids, grade_level_ids } };
}

/** Whether the visibility follows from the audience, and was not chosen by hand. */
export function isDerived(event: For & Seen): boolean {
  const { visibility, restricted_to } = visibilityFor(event);
  return visibility === event.visibility && (visibility !== 'restricted' || same(restricted_to, event.restricted_to));
}

/** Changes the visibility with the audience, unless it was chosen by hand. */
export function afterAudience(before: For & Seen, now: For & Seen): Partial<Seen> {
  const hasChanged = (['target_audience', 'class_id', 'grade_level_ids'] as const).some(
    (name) => !same(before[name], now[name]),
  );
  return hasChanged && isDerived(before) ? visibilityFor(now) : {};
}

/** The audience after a change of its choices: everyone or some roles, never neither; visitors go with both. */
export function nextAudience(before: Audience, chosen: Audience): Audience {
  const added = chosen.find((one) => !before.includes(one));
  const next = chosen.filter((one) =>
    added === 'all' ? !isRole(one) : one !== 'all' || added === undefined || added === 'external',
  );
  return next.some((one) => one !== 'external') ? next : ['all', ...next];
}
