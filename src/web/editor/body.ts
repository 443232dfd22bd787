import type { Options, SchoolEvent } from '../api/types.ts';
import type { Draft, Step } from './draft.ts';
import { instantOf } from './wall-time.ts';

/** Request fields by step; fields that the form hides are null or false. */
export type Body = Record<Step, Record<string, unknown>>;

const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text);
const numberOrNull = (text: string): number | null => (text.trim() === '' ? null : Number(text.replace(',', '.')));

/** The form as request fields. */
export function bodyOf(draft: Draft, { registration_types }: Options, zone: string): Body {
  const rule = registration_types.find(({ value }) => value === draft.registration_type);
  const isTicketed = rule?.needs_cost ?? false;
  const cost = isTicketed ? numberOrNull(draft.cost) : null;
  const physical = (text: string) => (draft.isVirtual ? null : textOrNull(text));
  const { isVirtual } = draft;
  return {
    basics: {
      title: draft.title.trim(),
      event_type: draft.event_type,
      description: textOrNull(draft.description),
      visibility: draft.visibility,
      restricted_to: draft.visibility === 'restricted' ? draft.restricted_to : null,
      is_featured: draft.is_featured,
    },
    schedule: {
      start_date: draft.start_date,
      end_date: draft.end_date,
      all_day: draft.all_day,
      start_time: draft.all_day ? null : textOrNull(draft.start_time),
      end_time: draft.all_day ? null : textOrNull(draft.end_time),
    },
    place: {
      location_name: textOrNull(draft.location_name),
      location: {
        isVirtual,
        building: physical(draft.building),
        room: physical(draft.room),
        address: physical(draft.address),
        mapLink: physical(draft.mapLink),
        virtualLink: isVirtual ? textOrNull(draft.virtualLink) : null,
      },
    },
    registration: {
      registration_type: draft.registration_type,
      max_attendees: rule?.needs_capacity ? numberOrNull(draft.max_attendees) : null,
      registration_deadline: rule?.needs_deadline ? instantOf(draft.registration_deadline, zone) : null,
      waitlist_enabled: rule?.needs_capacity ? draft.waitlist_enabled : false,
      requires_approval: rule?.needs_capacity ? draft.requires_approval : false,
      cost,
      currency: isTicketed ? textOrNull(draft.currency.toUpperCase()) : null,
      is_free: !cost,
    },
    advanced: {
      target_audience: draft.target_audience,
      class_id: textOrNull(draft.class_id),
      grade_level_ids: draft.grade_level_ids,
      department_id: textOrNull(draft.department_id),
      send_notifications: draft.send_notifications,
      reminders: draft.reminders,
      tags: draft.tags,
      categories: draft.categories,
      banner_url: textOrNull(draft.banner_url),
      attachments: draft.attachments.filter(({ name, url }) => name.trim() !== '' || url.trim() !== ''),
    },
  };
}

/** The recurrence rule; sent only once, since an existing series keeps its dates. */
export function ruleOf(draft: Draft): Record<string, unknown> {
  const byCount = draft.ends === 'count';
  return {
    is_recurring: draft.recurrence_pattern !== 'none',
    recurrence_pattern: draft.recurrence_pattern,
    recurrence_count: byCount ? numberOrNull(draft.recurrence_count) : null,
    recurrence_end_date: byCount ? null : textOrNull(draft.recurrence_end_date),
  };
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The fields that changed. */
export const changesOf = (now: Record<string, unknown>, before: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(now).filter(([name, value]) => !same(value, before[name])));

/** Drops null fields, for which a new event has defaults. */
export const withoutNulls = (body: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));

export type Patch = Partial<Record<keyof SchoolEvent, unknown>>;
