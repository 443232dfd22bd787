import type { EventFields, SchoolEvent } from '../event.ts';

/** Fields to change, as RFC 7396 reads them: what is not named stays, null clears, objects are merged into. */
export type EventPatch = Partial<Record<keyof EventFields, unknown>>;

/** What a cleared field holds where that is not null. */
const CLEARED: Partial<EventFields> = {
  grade_level_ids: [],
  target_audience: ['all'],
  attachments: [],
  tags: [],
  categories: [],
  reminders: [],
};

/** The event with the patch merged in; whether the result keeps the rules is `validation`'s to say. */
export function merged(event: SchoolEvent, patch: EventPatch): SchoolEvent {
  const result = mergePatch(event, patch) as SchoolEvent;
  const cleared = Object.keys(patch).filter((name) => patch[name as keyof EventPatch] === null);
  for (const name of cleared) Object.assign(result, { [name]: CLEARED[name as keyof EventFields] ?? null });
  if (typeof patch.title === 'string') result.title = patch.title.trim();
  // A whole day has no times; one that gets some again starts from the defaults of §2.10.
  return {
    ...result,
    start_time: result.all_day ? null : (result.start_time ?? '09:00'),
    end_time: result.all_day ? null : (result.end_time ?? '10:00'),
  };
}

type Members = Record<string, unknown>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** RFC 7396, section 2. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: Members = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = mergePatch(result[name], value);
  }
  return result;
}

/** The names of the fields that differ, in the order of the patch. */
export const changedFields = (before: SchoolEvent, after: SchoolEvent, patch: EventPatch): (keyof EventFields)[] =>
  [...new Set([...(Object.keys(patch) as (keyof EventFields)[]), 'start_time' as const, 'end_time' as const])].filter(
    (name) => canonical(before[name]) !== canonical(after[name]),
  );

/** Equal texts for equal values, whatever the order of their members. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, inner) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  ) ?? '';
