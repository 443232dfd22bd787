import { newId } from '../../core/ids.ts';
import { fromKeys, pick } from '../../core/objects.ts';
import { type Caller, type Scope, scopeOf } from '../../people/caller.ts';
import type { School } from '../../people/school.ts';
import type { SchoolEvent } from '../event.ts';
import { defaultOf, type EventFields, FIELD_NAMES, type NewEvent } from '../event-fields.ts';
import { EVENT_TYPES } from '../event-types.ts';
import { DEFAULT_END, DEFAULT_START, endAfter, instantsOf } from './schedule.ts';
import { placeInSeries } from './series.ts';

/** Applies the default values; the type gives all-day and the duration. */
export function withDefaults(
  input: NewEvent,
  school: Pick<School, 'timezone'>,
  caller: Pick<Caller, 'user_id'>,
): EventFields {
  const minutes = EVENT_TYPES[input.event_type].minutes;
  const all_day = input.all_day ?? (minutes === null && !input.start_time && !input.end_time);
  const start_time = all_day ? null : (input.start_time ?? DEFAULT_START);
  const end = endOf(input, start_time, minutes ?? 60);
  const pattern = input.recurrence_pattern ?? 'none';
  return {
    ...fromKeys(FIELD_NAMES, (name) => input[name] ?? defaultOf(name)),
    title: input.title.trim(),
    start_time,
    end_time: all_day ? null : end,
    timezone: input.timezone ?? school.timezone,
    all_day,
    is_recurring: input.is_recurring ?? pattern !== 'none',
    recurrence_pattern: pattern,
    organizer_id: input.organizer_id ?? caller.user_id,
    is_free: input.is_free ?? !input.cost,
  } as EventFields;
}

// A missing end time is the start plus the duration of the type, if that falls on the end date; an event of several days
// ends at a default time of its last day.
function endOf(input: NewEvent, start_time: string | null, minutes: number): string {
  if (input.end_time) return input.end_time;
  const end = endAfter(input.start_date, start_time ?? DEFAULT_START, minutes);
  if (end.end_date === input.end_date) return end.end_time;
  return end.end_date > input.end_date ? '23:59' : DEFAULT_END;
}

/** A new draft. The fields must be valid. */
export function draftOf(fields: EventFields, caller: Pick<Caller, 'user_id'> & Scope, now: Date): SchoolEvent {
  return {
    ...pick(fields, FIELD_NAMES),
    ...scopeOf(caller),
    ...instantsOf(fields),
    id: newId(),
    status: 'draft',
    parent_event_id: null,
    ...placeInSeries(fields.is_recurring ? fields.start_date : null, fields),
    overrides: [],
    duplicated_from_id: null,
    current_attendees: 0,
    waitlisted: 0,
    confirmed: 0,
    checked_in: 0,
    last_waitlist_number: 0,
    publish_at: null,
    created_at: now,
    updated_at: now,
    published_at: null,
    cancelled_at: null,
    cancellation_reason: null,
    postponed_to: null,
    postponement_reason: null,
    version: 1,
    sequence: 0,
    schedule_version: 1,
    change_version: 0,
    untold_change: null,
    created_by: caller.user_id,
    deleted_at: null,
  };
}

const DEFAULTED = FIELD_NAMES.filter((name) => defaultOf(name) !== undefined);

/**
 * Gives events and templates that were stored before a field existed its default, so that no field of the type is missing.
 * @param read the fields that were read; by default all
 */
export function addDefaults<E extends Partial<EventFields>>(events: E[], read?: readonly string[]): E[] {
  const names = read ? DEFAULTED.filter((name) => read.includes(name)) : DEFAULTED;
  for (const event of events)
    for (const name of names) if (event[name] === undefined) Object.assign(event, { [name]: defaultOf(name) });
  return events;
}
