import { type Static, type TObject, Type } from 'typebox';
import { searchWords } from '../core/plain-text.ts';
import { oneOf, stamp, stampOrNull, stringOrNull } from '../core/schema.ts';
import type { Place, Schedule } from '../outbox/fact.ts';
import type { Scope } from '../people/caller.ts';
import type { Locale } from '../people/contact.ts';
import type { EventFields, FieldName } from './event-fields.ts';

export const EVENT_STATUSES = [
  'draft',
  'scheduled',
  'published',
  'in_progress',
  'completed',
  'cancelled',
  'postponed',
] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

export type RecurrencePattern = EventFields['recurrence_pattern'];
export type Question = EventFields['registration_questions'][number];
export type Location = NonNullable<EventFields['location']>;

/** The state people last knew, before changes that are not announced yet. Further edits join the same notice. */
export type UnannouncedChange = {
  since: Date;
  tell_at: Date;
  schedule: Schedule;
  /** canonical form of the place, to compare by */
  place: string;
  /** the place, to state in the notice */
  where: Place;
  /** the `notify` of the joined edits: false if none of them wants a notice */
  notify?: boolean | null;
};

/** The source of an event that another lifecycle service reports: its id there, the service, and the latest report. */
type Origin = {
  external_id: string;
  source: string;
  /** orders the reports of this event: older reports change nothing */
  mark: string;
};

/** The fields that the program writes and answers show. */
export const RECORD_FIELDS = {
  id: Type.String(),
  status: oneOf(EVENT_STATUSES),
  /** derived from wall clock and zone, as the end */
  starts_at: { ...stamp, description: 'The date and time at which the event starts.' },
  ends_at: { ...stamp, description: 'The date and time at which the event ends.' },
  parent_event_id: stringOrNull('The id of the first event of the series.'),
  /** orders the series */
  occurrence_date: stringOrNull(
    'The date that the series gave this occurrence, even if it was moved. Null outside a series.',
  ),
  duplicated_from_id: stringOrNull('The id of the event that this one was copied from.'),
  /** pending and confirmed, all kinds */
  current_attendees: Type.Integer({ description: 'How many seats are taken.' }),
  publish_at: { ...stampOrNull, description: 'When the event is published automatically.' },
  published_at: { ...stampOrNull, description: 'When the event was published.' },
  cancelled_at: { ...stampOrNull, description: 'When it was cancelled.' },
  cancellation_reason: stringOrNull('Why the event was cancelled.'),
  postponed_to: { ...stampOrNull, description: 'The new start. Null if it is not known.' },
  postponement_reason: stringOrNull('Why the event was postponed.'),
  sequence: Type.Integer({ description: 'Grows with every change that people are notified about (RFC 5545).' }),
  created_by: stringOrNull('The user id of the person who created the event.'),
  created_at: stamp,
  updated_at: stamp,
};

/** A school event as stored. */
export type SchoolEvent = EventFields &
  Scope &
  Static<TObject<typeof RECORD_FIELDS>> & {
    /**
     * RECURRENCE-ID of RFC 5545, `20261016T160000Z` or `20261016`: the original start of the occurrence. Never changes,
     * because calendar programs identify the occurrence by it; null outside a series.
     */
    recurrence_id: string | null;
    /** the fields that were edited in this occurrence alone: edits of the series leave them as they are */
    overrides: FieldName[];
    /** version of the time zone database from which its instants were derived */
    tz_version: string;
    /** people waiting for a seat */
    waitlisted: number;
    /** seats taken by confirmed people */
    confirmed: number;
    /** confirmed people who are checked in */
    checked_in: number;
    /** the last waitlist number assigned */
    last_waitlist_number: number;
    /** grows with every write; the ETag */
    version: number;
    /** grows when the time of the event changes; reminders with an older version are not sent */
    schedule_version: number;
    /** grows with every change of time or place that people are notified of; older notices are superseded */
    change_version: number;
    /** a change to be announced at `tell_at`, unless another edit joins it before */
    untold_change: UnannouncedChange | null;
    deleted_at: Date | null;
    /** when the messages of the last change that could be undone are sent; missing: there was none */
    held_until?: Date | null;
    /** null or missing: created here */
    origin?: Origin | null;
    /** never stored: this is a message of the school, in the shape that notifications need (src/messages) */
    is_message?: true;
  };

/** Confirmed people, and how many of them are checked in. */
type Attendance = Pick<SchoolEvent, 'confirmed' | 'checked_in'>;

/** Statuses of events that have started, and therefore have an attendance rate. */
export const STARTED: readonly EventStatus[] = ['in_progress', 'completed'];

export const hasStarted = ({ status }: Pick<SchoolEvent, 'status'>): boolean => STARTED.includes(status);

/** The checked-in part of confirmed people, from 0 to 1 with three decimals; null without confirmed people. */
export const attendanceRate = ({ confirmed, checked_in }: Attendance): number | null =>
  confirmed === 0 ? null : Math.round((checked_in / confirmed) * 1000) / 1000;

/** The attendance rate of an event; null before it has started. */
export const attendanceRateOf = (event: Attendance & Pick<SchoolEvent, 'status'>): number | null =>
  hasStarted(event) ? attendanceRate(event) : null;

/** Seats left, null without a limit. */
export const availableSpots = (event: Pick<SchoolEvent, 'max_attendees' | 'current_attendees'>): number | null =>
  event.max_attendees === null ? null : Math.max(0, event.max_attendees - event.current_attendees);

/** The name of the place that people read, whichever field has it; null: it has none. */
export const placeName = ({ location, location_name }: Pick<EventFields, 'location' | 'location_name'>) =>
  location?.name ?? location_name;

type Translated = Partial<Pick<EventFields, 'title' | 'description' | 'translations'>>;

/**
 * The event with its title and description in a reader's language, as far as they are translated into it; null: as written.
 * Everything that shows an event to a reader calls this function.
 */
export function inLanguage<E extends Translated>(event: E, locale: Locale | null): E {
  const words = locale && event.translations?.[locale];
  return words ? { ...event, title: words.title, description: words.description || event.description } : event;
}

type Named = Pick<EventFields, 'title' | 'translations' | 'tags'>;

/** The search words of an event: those of its title in all languages and of its tags. */
export const searchWordsOf = ({ title, translations, tags }: Named): string[] =>
  searchWords([title, ...Object.values(translations ?? {}).map((words) => words.title), ...tags].join(' '));
