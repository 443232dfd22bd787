import type { Options, SchoolEvent } from '../api/types.ts';
import { inZone } from '../texts/dates.ts';

type Reminder = SchoolEvent['reminders'][number];

/** People and groups that may see a restricted event. */
export type Restriction = Required<NonNullable<SchoolEvent['restricted_to']>>;

const NO_ONE: Restriction = { user_ids: [], roles: [], class_ids: [], grade_level_ids: [], department_ids: [] };

/** Values of the form: numbers and times as typed, '' for no value. */
export type Draft = {
  title: string;
  event_type: SchoolEvent['event_type'];
  description: string;
  visibility: SchoolEvent['visibility'];
  restricted_to: Restriction;
  is_featured: boolean;
  start_date: string;
  end_date: string;
  all_day: boolean;
  start_time: string;
  end_time: string;
  recurrence_pattern: SchoolEvent['recurrence_pattern'];
  ends: 'count' | 'date';
  recurrence_count: string;
  recurrence_end_date: string;
  location_name: string;
  isVirtual: boolean;
  building: string;
  room: string;
  address: string;
  mapLink: string;
  virtualLink: string;
  registration_type: SchoolEvent['registration_type'];
  max_attendees: string;
  /** local time in the event's zone */
  registration_deadline: string;
  waitlist_enabled: boolean;
  requires_approval: boolean;
  cost: string;
  currency: string;
  target_audience: SchoolEvent['target_audience'];
  /** '' means all classes */
  class_id: string;
  grade_level_ids: string[];
  department_id: string;
  send_notifications: boolean;
  reminders: Reminder[];
  tags: string[];
  categories: string[];
  banner_url: string;
  attachments: { name: string; url: string }[];
};

export type FieldName = keyof Draft;

/** The five steps (§2.11) and their fields. */
export const STEPS = {
  basics: ['title', 'event_type', 'description', 'visibility', 'restricted_to', 'is_featured'],
  schedule: [
    'start_date',
    'end_date',
    'all_day',
    'start_time',
    'end_time',
    'recurrence_pattern',
    'ends',
    'recurrence_count',
    'recurrence_end_date',
  ],
  place: ['location_name', 'isVirtual', 'building', 'room', 'address', 'mapLink', 'virtualLink'],
  registration: [
    'registration_type',
    'max_attendees',
    'registration_deadline',
    'waitlist_enabled',
    'requires_approval',
    'cost',
    'currency',
  ],
  advanced: [
    'target_audience',
    'class_id',
    'grade_level_ids',
    'department_id',
    'send_notifications',
    'reminders',
    'tags',
    'categories',
    'banner_url',
    'attachments',
  ],
} as const satisfies Record<string, readonly FieldName[]>;

export type Step = keyof typeof STEPS;
export const STEP_NAMES = Object.keys(STEPS) as Step[];

export const stepOf = (field: string): Step | null =>
  STEP_NAMES.find((step) => (STEPS[step] as readonly string[]).includes(field.split('.')[0] ?? '')) ?? null;

/** A form with the defaults of the API (§2.10). */
export function emptyDraft({ defaults }: Options, day: string | undefined): Draft {
  return {
    title: '',
    event_type: defaults.event_type,
    description: '',
    visibility: defaults.visibility,
    restricted_to: NO_ONE,
    is_featured: defaults.is_featured,
    start_date: day ?? defaults.start_date,
    end_date: day ?? defaults.end_date,
    all_day: defaults.all_day,
    start_time: defaults.start_time ?? '',
    end_time: defaults.end_time ?? '',
    recurrence_pattern: defaults.recurrence_pattern,
    ends: 'count',
    recurrence_count: '',
    recurrence_end_date: '',
    location_name: '',
    isVirtual: false,
    building: '',
    room: '',
    address: '',
    mapLink: '',
    virtualLink: '',
    registration_type: defaults.registration_type,
    max_attendees: '',
    registration_deadline: '',
    waitlist_enabled: defaults.waitlist_enabled,
    requires_approval: defaults.requires_approval,
    cost: '',
    currency: '',
    target_audience: defaults.target_audience,
    class_id: '',
    grade_level_ids: [],
    department_id: '',
    send_notifications: defaults.send_notifications,
    reminders: [],
    tags: [],
    categories: [],
    banner_url: '',
    attachments: [],
  };
}

const typed = (value: string | number | null | undefined): string => (value ?? '').toString();

/** The form of an event. `kept` supplies values that its current rules don't use but the user may want again. */
export function draftOf(event: SchoolEvent, kept: Draft): Draft {
  const { location } = event;
  const deadline = event.registration_deadline && inZone(event.registration_deadline, event.timezone);
  return {
    ...kept,
    ...pick(event, ['title', 'event_type', 'visibility', 'is_featured', 'start_date', 'end_date', 'all_day']),
    ...pick(event, ['registration_type', 'waitlist_enabled', 'requires_approval', 'recurrence_pattern']),
    ...pick(event, ['target_audience', 'grade_level_ids', 'send_notifications', 'reminders', 'tags', 'categories']),
    restricted_to: event.restricted_to ? { ...NO_ONE, ...event.restricted_to } : kept.restricted_to,
    class_id: typed(event.class_id),
    department_id: typed(event.department_id),
    description: typed(event.description),
    start_time: event.start_time ?? kept.start_time,
    end_time: event.end_time ?? kept.end_time,
    ends: event.recurrence_end_date ? 'date' : 'count',
    recurrence_count: typed(event.recurrence_count),
    recurrence_end_date: typed(event.recurrence_end_date),
    location_name: typed(event.location_name),
    isVirtual: location?.isVirtual ?? false,
    building: typed(location?.building),
    room: typed(location?.room),
    address: typed(location?.address),
    mapLink: typed(location?.mapLink),
    virtualLink: typed(location?.virtualLink),
    max_attendees: typed(event.max_attendees),
    registration_deadline: deadline ? `${deadline.day}T${deadline.time}` : '',
    cost: typed(event.cost),
    currency: typed(event.currency),
    banner_url: typed(event.banner_url),
    attachments: event.attachments,
  };
}

const pick = <K extends keyof SchoolEvent>(event: SchoolEvent, names: readonly K[]): Pick<SchoolEvent, K> =>
  Object.fromEntries(names.map((name) => [name, event[name]])) as Pick<SchoolEvent, K>;
