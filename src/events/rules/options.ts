import { addDays } from '../../core/zoned-time.ts';
import { type Caller, ROLES } from '../../people/caller.ts';
import type { Locale } from '../../people/contact.ts';
import type { School } from '../../people/school.ts';
import { VISIBILITIES } from '../../people/visibility.ts';
import { EVENT_STATUSES, EVENT_TYPE_NAMES, EVENT_TYPES, type EventType, REMINDER_OFFSETS } from '../event.ts';
import { AUDIENCES, RECURRENCE_PATTERNS, REGISTRATION_TYPES } from '../event-fields.ts';
import { withDefaults } from './defaults.ts';
import { endAfter } from './schedule.ts';
import { SUGGESTED_COUNTS } from './series.ts';
import { SUGGESTED_STARTS, SUGGESTED_TITLES, suggestedAudience } from './suggestions.ts';

/** The choices of an event form and its initial values. */
export function eventOptions(school: Pick<School, 'timezone'>, caller: Caller, today: string, locale: Locale = 'en') {
  return {
    event_types: EVENT_TYPE_NAMES.map((value) => typeOption(value, locale)),
    visibility: Object.entries(VISIBILITIES).map(([value, { icon, seen_by }]) => ({ value, icon, seen_by })),
    statuses: EVENT_STATUSES,
    registration_types: REGISTRATION_TYPES.map((value) => {
      const needed = value === 'required' || value === 'ticketed';
      return { value, needs_deadline: needed, needs_capacity: needed, needs_cost: value === 'ticketed' };
    }),
    recurrence_patterns: RECURRENCE_PATTERNS.map((value) => ({
      value,
      suggested_count: { none: null, ...SUGGESTED_COUNTS }[value],
    })),
    reminder_offsets: REMINDER_OFFSETS,
    target_audience: AUDIENCES,
    roles: ROLES,
    defaults: { ...defaultsOn(today, school, caller), duration: EVENT_TYPES.meeting.minutes },
  };
}

function typeOption(value: EventType, locale: Locale) {
  const { meaning, icon, color, minutes } = EVENT_TYPES[value];
  const start_time = SUGGESTED_STARTS[value];
  const end_time = start_time === null ? null : endAfter('2026-01-01', start_time, minutes ?? 60).end_time;
  return {
    value,
    meaning,
    icon,
    color,
    duration: minutes,
    all_day: minutes === null,
    suggested_titles: SUGGESTED_TITLES[locale][value],
    suggested_start_time: start_time,
    suggested_end_time: end_time,
    suggested_audience: suggestedAudience(value),
  };
}

/** The defaults of the API; the schema of the answer names those that a form starts with. */
function defaultsOn(today: string, school: Pick<School, 'timezone'>, caller: Caller) {
  const start_date = addDays(today, 1);
  return withDefaults({ title: 'x', event_type: 'meeting', start_date, end_date: start_date }, school, caller);
}
