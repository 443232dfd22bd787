import type { SchoolEvent } from '../../src/events/event.ts';
import { contentOf } from '../../src/notifications/content/content.ts';
import type { Outgoing } from '../../src/notifications/content/message.ts';
import type { Delivery } from '../../src/notifications/delivery.ts';
import type { StoredEntry } from '../../src/notifications/ports.ts';
import type { Fact, FactData, FactType } from '../../src/outbox/fact.ts';
import type { Caller } from '../../src/people/caller.ts';
import type { Contact } from '../../src/people/contact.ts';
import type { School } from '../../src/people/school.ts';
import type { Registration } from '../../src/registrations/registration.ts';

/** Builders for tests of the rules: each test overrides the fields that matter. Independent of the tested code. */

export const SCOPE = { tenant_id: 't1', school_id: 's1' };

/** Six weeks before the event. */
export const NOW = new Date('2026-09-01T08:00:00Z');

export const at = (instant: string): Date => new Date(instant);

/** A published concert, 16 October 2026, 18:00 to 20:00 UTC, open to all, without registration. */
export const anEvent = (more: Partial<SchoolEvent> = {}): SchoolEvent => ({
  ...SCOPE,
  id: 'event-1',
  title: 'Autumn concert',
  description: null,
  translations: null,
  event_type: 'cultural',
  status: 'published',
  visibility: 'public',
  restricted_to: null,
  start_date: '2026-10-16',
  end_date: '2026-10-16',
  start_time: '18:00',
  end_time: '20:00',
  timezone: 'UTC',
  all_day: false,
  starts_at: at('2026-10-16T18:00:00Z'),
  ends_at: at('2026-10-16T20:00:00Z'),
  tz_version: process.versions.tz ?? '',
  is_recurring: false,
  recurrence_pattern: 'none',
  recurrence_end_date: null,
  recurrence_count: null,
  parent_event_id: null,
  occurrence_date: null,
  recurrence_id: null,
  overrides: [],
  duplicated_from_id: null,
  location_name: null,
  location: null,
  organizer_id: 'organizer',
  organizer: null,
  department_id: null,
  class_id: null,
  grade_level_ids: [],
  target_audience: ['all'],
  is_free: true,
  cost: null,
  currency: null,
  image_url: null,
  banner_url: null,
  attachments: [],
  tags: [],
  categories: [],
  send_notifications: true,
  reminders: [],
  is_featured: false,
  is_active: true,
  registration_type: 'none',
  registration_deadline: null,
  max_attendees: null,
  waitlist_enabled: false,
  requires_approval: false,
  registration_url: null,
  current_attendees: 0,
  waitlisted: 0,
  confirmed: 0,
  checked_in: 0,
  last_waitlist_number: 0,
  publish_at: null,
  created_at: at('2026-08-01T08:00:00Z'),
  updated_at: at('2026-08-01T08:00:00Z'),
  published_at: at('2026-08-20T08:00:00Z'),
  cancelled_at: null,
  cancellation_reason: null,
  postponed_to: null,
  postponement_reason: null,
  version: 4,
  sequence: 2,
  schedule_version: 3,
  change_version: 1,
  untold_change: null,
  created_by: 'staff',
  deleted_at: null,
  ...more,
});

/** A member of the directory without any address. */
export const aContact = (user_id: string, more: Partial<Contact> = {}): Contact => ({
  ...SCOPE,
  user_id,
  name: user_id,
  email: null,
  phone: null,
  roles: ['student'],
  class_ids: [],
  grade_level_ids: [],
  department_ids: [],
  guardians: [],
  locale: null,
  timezone: null,
  updated_at: NOW,
  ...more,
});

export const aRegistration = (more: Partial<Registration> = {}): Registration => ({
  ...SCOPE,
  id: 'registration-1',
  event_id: 'event-1',
  user_id: 'eva',
  kind: 'attendee',
  notes: null,
  status: 'confirmed',
  contact: null,
  waitlist_number: null,
  confirmation: 1,
  registered_by: 'eva',
  promoted_by: null,
  promoted_because: null,
  cancel_reason: null,
  created_at: at('2026-08-25T08:00:00Z'),
  updated_at: at('2026-08-25T08:00:00Z'),
  confirmed_at: at('2026-08-25T08:00:00Z'),
  cancelled_at: null,
  checked_in_at: null,
  ...more,
});

/** An announcement by e-mail that was just drafted. */
export const aDelivery = (more: Partial<Delivery> = {}): Delivery => ({
  ...SCOPE,
  id: 'delivery-1',
  event_id: 'event-1',
  fact_id: 'fact-1',
  trigger: 'event.published',
  channel: 'email',
  fallback: null,
  urgent: false,
  user_id: 'eva',
  given_by: null,
  address_owners: [],
  on_behalf_of: [],
  also: [],
  name: 'Eva',
  address: 'eva@people.example',
  locale: 'en',
  timezone: 'UTC',
  registration_ids: [],
  schedule_version: 3,
  sequence: 2,
  status: 'waiting',
  reason: null,
  detail: null,
  due_at: NOW,
  held_until: null,
  held_for: null,
  digest_key: null,
  digest_id: null,
  expires_at: null,
  queued_at: null,
  claim: null,
  lease_until: null,
  fence: 0,
  attempts: 0,
  errors: 0,
  crashes: 0,
  repeated: false,
  provider: null,
  redriven_at: null,
  provider_id: null,
  template_version: null,
  title: null,
  body: null,
  created_at: NOW,
  settled_at: null,
  ...more,
});

/** An unread announcement in an inbox, of an event without a fact that would outdate it. */
export const anEntry = (more: Partial<StoredEntry> = {}): StoredEntry => ({
  ...aDelivery({ channel: 'in_app', address: null, status: 'sent', attempts: 1 }),
  title: 'Concert',
  body: 'On Friday',
  settled_at: NOW,
  seen_at: null,
  read_at: null,
  archived_at: null,
  arrived_at: Math.floor((more.settled_at ?? NOW).getTime() / 1_000),
  ...more,
});

/** Dependencies of a fan-out that renders in-app messages with the recipient's name as body. */
export const inAppParts = {
  factQueue: { publishParts: async () => {} },
  links: { place: () => '', unsubscribe: () => '' },
  publicUrl: 'https://school.test',
  organizerAddress: 'office@school.example',
  contentOf,
  textOf: ({ content, person }: Outgoing) => ({ title: content.event.title, body: person.name }),
  report: () => {},
};

const SCHEDULE = {
  start_date: '2026-10-01',
  end_date: '2026-10-01',
  start_time: '18:00',
  end_time: '20:00',
  timezone: 'UTC',
  all_day: false,
};

const ORDINARY: FactData = {
  'event.created': {},
  'event.scheduled': { publish_at: null },
  'event.published': { sequence: 2, schedule_version: 3 },
  'event.unpublished': { sequence: 2, tell_at: at('2026-09-01T08:02:00Z') },
  'event.cancelled': { sequence: 2, reason: 'storm', notify: null },
  'event.postponed': {
    sequence: 2,
    schedule_version: 3,
    change_version: 1,
    reason: 'storm',
    previous: SCHEDULE,
    date_known: true,
    notify: null,
  },
  'event.returned': { to: 'scheduled' },
  'event.changed': {
    sequence: 2,
    schedule_version: 3,
    change_version: 1,
    fields: ['start_time'],
    previous: SCHEDULE,
    tell_at: at('2026-09-01T08:00:00Z'),
  },
  'event.edited': { fields: ['title'] },
  'event.started': { schedule_version: 3 },
  'event.completed': {},
  'event.deleted': {},
  'registration.pending': { registration_id: 'registration-1', user_id: 'eva' },
  'registration.confirmed': { registration_id: 'registration-1', user_id: 'eva', confirmation: 1 },
  'registration.waitlisted': { registration_id: 'registration-1', user_id: 'eva', waitlist_number: 1, position: 1 },
  'registration.cancelled': { registration_id: 'registration-1', user_id: 'eva', reason: null, freed_seat: true },
  'registration.edited': { registration_id: 'registration-1', user_id: 'eva', fields: ['notes'] },
  'registration.check_in_undone': { registration_id: 'registration-1', user_id: 'eva' },
  'registration.checked_in': { registration_id: 'registration-1', user_id: 'eva' },
  'seats.freed': { seats: 2 },
  'message.requested': {
    subject: 'What to bring',
    body: 'A raincoat.',
    channels: ['email', 'in_app'],
    status: null,
    kind: null,
  },
  'message.answered': {
    sid: 'SM1',
    user_id: 'eva',
    name: 'Eva Nová',
    email: 'eva@people.example',
    channel: 'sms',
    text: 'We come by car.',
    forwarded: true,
  },
  'delivery.redriven': { delivery_id: 'delivery-1', channel: 'email', trigger: 'event.published' },
  'delivery.revealed': { delivery_id: 'delivery-1', channel: 'email', trigger: 'event.published' },
  'delivery.discarded': { delivery_id: 'delivery-1', channel: 'email', trigger: 'event.published' },
  'delivery.retried': { count: 3 },
  'reminder.due': { reminder_id: 'reminder-1', type: 'email', offset: 60, schedule_version: 3 },
};

/** A fact of `anEvent`, of the versions that event has. */
export const aFact = <T extends FactType>(
  type: T,
  data: Partial<FactData[T]> = {},
  more: Partial<Pick<Fact, 'id' | 'v' | 'event_id' | 'occurred_at' | 'actor'>> = {},
): Fact<T> =>
  ({
    ...SCOPE,
    id: 'fact-1',
    v: 1,
    event_id: 'event-1',
    occurred_at: NOW,
    actor: { user_id: 'staff' },
    ...more,
    type,
    data: { ...ORDINARY[type], ...data },
  }) as Fact<T>;

/** A caller whose token has an id and no permissions. */
export const aCaller = (more: Partial<Caller> = {}): Caller => ({
  ...SCOPE,
  user_id: 'somebody',
  roles: [],
  permissions: [],
  class_ids: [],
  grade_level_ids: [],
  department_ids: [],
  children: [],
  ...more,
});

export const aSchool = (more: Partial<School> = {}): School => ({
  ...SCOPE,
  name: 'School on the Hill',
  timezone: 'Europe/Prague',
  locale: 'cs',
  sender_name: null,
  updated_at: NOW,
  ...more,
});
