import { canonical, isObject } from '../../core/objects.ts';
import type { SchoolEvent } from '../event.ts';
import { defaultOf, type EventFields, FIELD_NAMES, type FieldName } from '../event-fields.ts';
import { DEFAULT_END, DEFAULT_START } from './schedule.ts';

/** A merge patch (RFC 7396): missing fields stay, null clears, objects are merged. */
export type EventPatch = Partial<Record<keyof EventFields, unknown>>;

/** The event with the patch merged in; not validated. */
export function merged(event: SchoolEvent, patch: EventPatch): SchoolEvent {
  const result = mergePatch(event, patch) as SchoolEvent;
  const cleared = (Object.keys(patch) as FieldName[]).filter((name) => patch[name] === null);
  for (const name of cleared) Object.assign(result, { [name]: clearedValueOf(name) });
  if (typeof patch.title === 'string') result.title = patch.title.trim();
  // As in a new event, a price and a pattern decide unless the patch does.
  if (patch.is_free === undefined && Number(patch.cost) > 0) result.is_free = false;
  if (patch.is_recurring === undefined && patch.recurrence_pattern)
    result.is_recurring = patch.recurrence_pattern !== 'none';
  // All-day events have no times; if an event becomes timed, it gets the default ones.
  return {
    ...result,
    start_time: result.all_day ? null : (result.start_time ?? DEFAULT_START),
    end_time: result.all_day ? null : (result.end_time ?? DEFAULT_END),
  };
}

/** A cleared list gets its default, because lists are never null. */
function clearedValueOf(name: FieldName): unknown {
  const initial = defaultOf(name);
  return Array.isArray(initial) ? initial : null;
}

/** RFC 7396, section 2. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = mergePatch(result[name], value);
  }
  return result;
}

/** The names of the fields that differ. */
export const changedFields = (before: SchoolEvent, after: SchoolEvent): FieldName[] =>
  FIELD_NAMES.filter((name) => before[name] !== after[name] && canonical(before[name]) !== canonical(after[name]));

/** The overrides of an occurrence after these fields were changed in it alone. */
export const overridden = ({ overrides }: SchoolEvent, fields: readonly FieldName[]): FieldName[] => [
  ...new Set([...overrides, ...fields]),
];
