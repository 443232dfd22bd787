import { addDays } from '../../core/zoned-time.ts';
import { type Caller, ROLES } from '../../people/caller.ts';
import type { Locale } from '../../people/contact.ts';
import type { School } from '../../people/school.ts';
import { VISIBILITIES } from '../../people/visibility.ts';
import { EVENT_STATUSES, REMINDER_OFFSETS } from '../event.ts';
import { AUDIENCES, RECURRENCE_PATTERNS, REGISTRATION_TYPES } from '../event-fields.ts';
import { withDefaults } from './defaults.ts';
import { EVENT_TYPES, type EventType } from './event-types.ts';
import { SUGGESTED_COUNTS } from './recurrence.ts';
import { endAfter } from './schedule.ts';
import { SUGGESTIONS, suggestedAudience } from './suggestions.ts';

/** The choices of an event form (§2.2, §2.3, §2.5 to §2.7, §6) and its initial values (§2.10). */
export function eventOptions(school: Pick<School, 'timezone'>, caller: Caller, today: string, locale: Locale = 'en') {
  return {
    event_types: (Object.keys(EVENT_TYPES) as EventType[]).map((value) => typeOption(value, locale)),
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
  const { titles, start_time } = SUGGESTIONS[value];
  const end_time = start_time === null ? null : endAfter('2026-01-01', start_time, minutes ?? 60).end_time;
  return {
    value,
    meaning,
    icon,
    color,
    duration: minutes,
    all_day: minutes === null,
    suggested_titles: titles[locale],
    suggested_start_time: start_time,
    suggested_end_time: end_time,
    suggested_audience: suggestedAudience(value),
  };
}

/** Derived from `withDefaults`, so that form and API never differ. */
function defaultsOn(today: string, school: Pick<School, 'timezone'>, caller: Caller) {
  const start_date = addDays(today, 1);
  const given = { title: 'x', event_type: 'meeting', start_date, end_date: start_date } as const;
  const fields = withDefaults(given, school, caller);
  return {
    event_type: fields.event_type,
    visibility: fields.visibility,
    registration_type: fields.registration_type,
    recurrence_pattern: fields.recurrence_pattern,
    start_date: fields.start_date,
    end_date: fields.end_date,
    all_day: fields.all_day,
    is_free: fields.is_free,
    is_featured: fields.is_featured,
    is_active: fields.is_active,
    organizer_id: fields.organizer_id,
    send_notifications: fields.send_notifications,
    waitlist_enabled: fields.waitlist_enabled,
    requires_approval: fields.requires_approval,
    target_audience: fields.target_audience,
    start_time: fields.start_time,
    end_time: fields.end_time,
    timezone: fields.timezone,
  };
}
