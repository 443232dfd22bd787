import type { Place, Schedule } from '../outbox/fact.ts';
import type { Scope } from '../people/caller.ts';
import { CHANNELS, type Channel } from '../people/channels.ts';
import type { RestrictedTo, Visibility } from '../people/visibility.ts';
import type { EventType } from './rules/event-types.ts';

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

export const REGISTRATION_TYPES = ['none', 'optional', 'required', 'ticketed'] as const;
export type RegistrationType = (typeof REGISTRATION_TYPES)[number];

export const RECURRENCE_PATTERNS = ['none', 'daily', 'weekly', 'monthly', 'yearly'] as const;
export type RecurrencePattern = (typeof RECURRENCE_PATTERNS)[number];

export const AUDIENCES = ['all', 'students', 'parents', 'staff', 'external'] as const;
export type Audience = (typeof AUDIENCES)[number];

export const REMINDER_TYPES = CHANNELS;
export type ReminderType = Channel;
/** `offset`: minutes before the event. */
export type Reminder = { type: ReminderType; offset: number };

/** The offsets that forms offer, in minutes (§6). */
export const REMINDER_OFFSETS = [15, 30, 60, 120, 1440, 2880, 10080] as const;

export type Location = {
  name?: string;
  address?: string;
  room?: string;
  building?: string;
  capacity?: number;
  isVirtual?: boolean;
  virtualLink?: string;
  mapLink?: string;
  coordinates?: { latitude: number; longitude: number };
};

export type Attachment = { name: string; url: string; mime_type?: string; size?: number };

/** The fields that create and edit may set (§2.1 to §2.7). */
export type EventFields = Schedule & {
  title: string;
  description: string | null;
  event_type: EventType;
  visibility: Visibility;
  restricted_to: RestrictedTo | null;
  is_recurring: boolean;
  recurrence_pattern: RecurrencePattern;
  recurrence_end_date: string | null;
  recurrence_count: number | null;
  location_name: string | null;
  location: Location | null;
  organizer_id: string | null;
  organizer: { type: 'staff' | 'department' | 'organization'; name?: string; email?: string } | null;
  department_id: string | null;
  class_id: string | null;
  grade_level_ids: string[];
  target_audience: Audience[];
  is_free: boolean;
  cost: number | null;
  currency: string | null;
  image_url: string | null;
  banner_url: string | null;
  attachments: Attachment[];
  tags: string[];
  categories: string[];
  send_notifications: boolean;
  reminders: Reminder[];
  is_featured: boolean;
  is_active: boolean;
  registration_type: RegistrationType;
  registration_deadline: Date | null;
  max_attendees: number | null;
  waitlist_enabled: boolean;
  requires_approval: boolean;
  registration_url: string | null;
};

/** The state people last knew, before changes that are not announced yet. Further edits join the same notice. */
export type UnannouncedChange = {
  since: Date;
  tell_at: Date;
  schedule: Schedule;
  /** canonical form of the place, to compare by */
  place: string;
  /** the place, to state in the notice; missing in rows of earlier versions */
  where?: Place;
  /** the `notify` of the joined edits: false if none of them wants a notice */
  notify?: boolean | null;
};

/** The source of an event that another lifecycle service reports: its id there, the service, and the latest report. */
export type Origin = {
  external_id: string;
  source: string;
  /** orders the reports of this event: older reports change nothing */
  mark: string;
};

/** A school event as stored: its fields, and what only the program writes. */
export type SchoolEvent = EventFields &
  Scope & {
    id: string;
    status: EventStatus;
    parent_event_id: string | null;
    /** the date that the recurrence rule gave it, which orders the series even if it is moved; null outside a series */
    occurrence_date: string | null;
    /**
     * RECURRENCE-ID of RFC 5545, `20261016T160000Z` or `20261016`: the original start of the occurrence. Never changes,
     * because calendar programs identify the occurrence by it; null outside a series.
     */
    recurrence_id: string | null;
    /** overridden: edited on its own, so that edits of the series skip it */
    detached: boolean;
    duplicated_from_id: string | null;
    /** derived from wall clock and zone */
    starts_at: Date;
    ends_at: Date;
    /** version of the time zone database they were derived with */
    tz_version: string;
    /** seats taken: pending and confirmed, all kinds */
    current_attendees: number;
    /** people waiting for a seat */
    waitlisted: number;
    /** the last waitlist number assigned */
    last_waitlist_number: number;
    publish_at: Date | null;
    created_at: Date;
    updated_at: Date;
    published_at: Date | null;
    cancelled_at: Date | null;
    cancellation_reason: string | null;
    postponed_to: Date | null;
    postponement_reason: string | null;
    /** grows with every write; the ETag */
    version: number;
    /** SEQUENCE of RFC 5545: grows with every change that people are notified of */
    sequence: number;
    /** grows when the time of the event changes; reminders with an older version are not sent */
    schedule_version: number;
    /** grows with every change of time or place that people are notified of; older notices are superseded */
    change_version: number;
    /** a change to be announced at `tell_at`, unless another edit joins it before */
    untold_change: UnannouncedChange | null;
    created_by: string | null;
    deleted_at: Date | null;
    /** null or missing: created here */
    origin?: Origin | null;
  };

/** Seats left, null without a limit (§2.8 r.3). */
export const availableSpots = (event: Pick<SchoolEvent, 'max_attendees' | 'current_attendees'>): number | null =>
  event.max_attendees === null ? null : Math.max(0, event.max_attendees - event.current_attendees);
