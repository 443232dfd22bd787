import type { Options, SchoolEvent } from '../../api/types.ts';
import type { Span } from '../../calendar/grid/span.ts';
import { NO_ONE, type Restriction } from '../../event-parts/visibility.ts';
import { addDays, inZone, later } from '../../texts/dates.ts';
import type { Language } from '../../texts/languages.ts';
import type { TextId } from '../../texts/texts.ts';

const NO_ORGANIZER: Draft['organizer'] = { type: 'staff', name: '', email: '' };

const NO_SLOTS: Draft['slots'] = { isOn: false, length_minutes: '10', break_minutes: '0', hosts: [] };

export const STEP_NAMES = ['basics', 'schedule', 'place', 'registration', 'advanced'] as const;
export type Step = (typeof STEP_NAMES)[number];

/**
 * How the form holds a field of the API. `same`: as it is; `text`: as typed, '' for null; `rule`, `location`: as a text too,
 * for a field of the recurrence rule or of the event's location; `own`: in another way.
 */
type Kind = 'same' | 'text' | 'rule' | 'location' | 'own';

/** The fields of the form, with the step that shows each, and its label. */
const FIELDS = {
  title: ['basics', 'text', 'editor.title'],
  event_type: ['basics', 'same', 'filter.type'],
  description: ['basics', 'text', 'editor.description'],
  translations: ['basics', 'own', 'editor.step.basics'],
  target_audience: ['basics', 'same', 'people.label'],
  class_id: ['basics', 'text', 'filter.class'],
  grade_level_ids: ['basics', 'same', 'filter.grades'],
  visibility: ['basics', 'same', 'filter.more'],
  restricted_to: ['basics', 'own', 'visibility.restricted'],
  is_featured: ['basics', 'same', 'editor.featured'],
  start_date: ['schedule', 'same', 'filter.days'],
  end_date: ['schedule', 'same', 'editor.endDate'],
  all_day: ['schedule', 'same', 'calendar.allDay'],
  start_time: ['schedule', 'text', 'editor.startTime'],
  end_time: ['schedule', 'text', 'editor.endTime'],
  timezone: ['schedule', 'same', 'form.timezone'],
  recurrence_pattern: ['schedule', 'own', 'recurrence.label'],
  ends: ['schedule', 'own', 'recurrence.ends'],
  recurrence_count: ['schedule', 'rule', 'recurrence.count'],
  recurrence_end_date: ['schedule', 'rule', 'recurrence.until'],
  location_name: ['place', 'text', 'event.location'],
  isVirtual: ['place', 'own', 'editor.virtual'],
  building: ['place', 'location', 'editor.building'],
  room: ['place', 'location', 'editor.room'],
  address: ['place', 'location', 'editor.address'],
  mapLink: ['place', 'location', 'editor.mapLink'],
  virtualLink: ['place', 'location', 'editor.virtualLink'],
  capacity: ['place', 'own', 'editor.roomCapacity'],
  registration_type: ['registration', 'same', 'event.registration'],
  max_attendees: ['registration', 'text', 'editor.capacity'],
  registration_deadline: ['registration', 'own', 'editor.deadline'],
  waitlist_enabled: ['registration', 'same', 'editor.waitlist'],
  requires_approval: ['registration', 'same', 'editor.approval'],
  cost: ['registration', 'text', 'editor.cost'],
  currency: ['registration', 'text', 'editor.currency'],
  registration_questions: ['registration', 'own', 'editor.questions'],
  slots: ['registration', 'own', 'editor.slots'],
  registration_url: ['registration', 'text', 'editor.registrationUrl'],
  organizer_id: ['advanced', 'text', 'editor.organizerPerson'],
  organizer: ['advanced', 'own', 'event.organizer'],
  department_id: ['advanced', 'text', 'editor.department'],
  send_notifications: ['advanced', 'same', 'editor.notify'],
  asks_acknowledgement: ['advanced', 'same', 'asks.readers'],
  acknowledgement_reminder: ['advanced', 'same', 'asks.remind'],
  reminders: ['advanced', 'same', 'editor.reminders'],
  tags: ['advanced', 'same', 'filter.tags'],
  categories: ['advanced', 'same', 'editor.categories'],
  image_url: ['advanced', 'text', 'editor.imagePreview'],
  banner_url: ['advanced', 'text', 'editor.bannerPreview'],
  attachments: ['advanced', 'same', 'event.attachments'],
  is_active: ['advanced', 'same', 'editor.active'],
} as const satisfies Record<string, readonly [Step, Kind, TextId]>;

type Fields = typeof FIELDS;
export type FieldName = keyof Fields;
type Named<K extends Kind> = { [N in FieldName]: Fields[N][1] extends K ? N : never }[FieldName];

/** Values of the form. */
export type Draft = Pick<SchoolEvent, Named<'same'> | 'recurrence_pattern'> &
  Record<Named<'text' | 'rule' | 'location'>, string> & {
    translations: { [L in Language]?: { title: string; description: string } };
    restricted_to: Restriction;
    ends: 'count' | 'date';
    isVirtual: boolean;
    /** of the room */
    capacity: string;
    organizer: Record<'type' | 'name' | 'email', string>;
    /** the meetings that families choose; in minutes */
    slots: { isOn: boolean; hosts: { user_id: string; name: string }[] } & Record<
      'length_minutes' | 'break_minutes',
      string
    >;
    /** local time in the event's zone */
    registration_deadline: string;
    registration_questions: QuestionDraft[];
  };

/** A question of the form; its options have a line each. */
export type QuestionDraft = Omit<SchoolEvent['registration_questions'][number], 'options'> & { options: string };

/** The fields of a kind, of one step or of all. */
export const fieldsOf = <K extends Kind>(kind: K, step?: Step): Named<K>[] =>
  (Object.keys(FIELDS) as FieldName[]).filter(
    (name): name is Named<K> => FIELDS[name][1] === kind && (step === undefined || FIELDS[name][0] === step),
  );

/** The step of a form field, or of a part of one such as `attachments.0.url`; the first if no field has this name. */
export const stepOf = (field: string): Step => FIELDS[field.split('.')[0] as FieldName]?.[0] ?? 'basics';

/** The label of a form field, or of the one with this part; its step if no field has this name. */
export const labelOf = (field: string): TextId => FIELDS[field.split('.')[0] as FieldName]?.[2] ?? 'editor.step.basics';

/** The place of a form field, or of a part of one, from the top of the form. */
export const positionOf = (field: string): number => Object.keys(FIELDS).indexOf(field.split('.')[0] as FieldName);

const each = <N extends string, V>(names: readonly N[], make: (name: N) => V): Record<N, V> =>
  Object.fromEntries(names.map((name) => [name, make(name)])) as Record<N, V>;

/** Drops null fields, for which a new event has defaults. */
export const withoutNulls = (body: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));

/** A form with the defaults of the API, on the days and at the times of a span. */
export function emptyDraft({ defaults }: Options, span: Span): Draft {
  const { duration, is_free: _free, ...initial } = defaults;
  const { date = initial.start_date, start = initial.start_time ?? '' } = span;
  const usual = span.start ? later(span.start, duration) : { time: initial.end_time ?? '', days: 0 };
  return {
    ...each([...fieldsOf('text'), ...fieldsOf('rule'), ...fieldsOf('location')], () => ''),
    ...initial,
    all_day: initial.all_day || isWholeDays(span),
    start_date: date,
    end_date: span.until ?? addDays(date, usual.days),
    start_time: start,
    end_time: span.end ?? usual.time,
    organizer_id: initial.organizer_id ?? '',
    organizer: NO_ORGANIZER,
    translations: {},
    restricted_to: NO_ONE,
    slots: NO_SLOTS,
    ends: 'count',
    isVirtual: false,
    capacity: '',
    registration_deadline: '',
    registration_questions: [],
    grade_level_ids: [],
    acknowledgement_reminder: null,
    reminders: [],
    tags: [],
    categories: [],
    attachments: [],
  };
}

const isWholeDays = ({ until, start }: Span): boolean => until !== undefined && start === undefined;

/** The fields that a span sets, which suggestions keep. */
export const fieldsOfSpan = (span: Span): FieldName[] => [
  ...(span.start || isWholeDays(span) ? (['all_day', 'start_time'] as const) : []),
  ...(span.end || span.until ? (['end_date', 'end_time'] as const) : []),
];

/** The form of an event. `kept` supplies values that its current rules don't use but the user may want again. */
export function draftOf(event: SchoolEvent, kept: Draft): Draft {
  const deadline = event.registration_deadline && inZone(event.registration_deadline, event.timezone);
  return {
    ...(each(fieldsOf('same'), (name) => event[name]) as Pick<SchoolEvent, Named<'same'>>),
    ...each([...fieldsOf('text'), ...fieldsOf('rule')], (name) => String(event[name] ?? '')),
    ...each(fieldsOf('location'), (name) => event.location?.[name] ?? ''),
    start_time: event.start_time ?? kept.start_time,
    end_time: event.end_time ?? kept.end_time,
    translations: Object.fromEntries(
      Object.entries(event.translations ?? {}).map(([tag, { title, description }]) => [
        tag,
        { title, description: description ?? '' },
      ]),
    ),
    restricted_to: event.restricted_to ? { ...NO_ONE, ...event.restricted_to } : kept.restricted_to,
    slots: slotsOf(event) ?? { ...kept.slots, isOn: false },
    recurrence_pattern: event.recurrence_pattern,
    ends: event.recurrence_end_date ? 'date' : 'count',
    isVirtual: event.location?.isVirtual ?? false,
    capacity: String(event.location?.capacity ?? ''),
    organizer: { ...NO_ORGANIZER, ...(event.organizer && withoutNulls(event.organizer)) },
    registration_deadline: deadline ? `${deadline.day}T${deadline.time}` : '',
    registration_questions: event.registration_questions.map(({ options = [], ...question }) => ({
      ...question,
      options: options.join('\n'),
    })),
  };
}

function slotsOf({ slots }: SchoolEvent): Draft['slots'] | null {
  if (!slots) return null;
  const { length_minutes, break_minutes = 0, hosts } = slots;
  return { isOn: true, length_minutes: String(length_minutes), break_minutes: String(break_minutes), hosts };
}
