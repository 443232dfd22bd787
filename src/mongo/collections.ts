import { type Connection, type mongo, Schema } from 'mongoose';
import type { Acknowledgement } from '../acknowledgements/acknowledgement.ts';
import type { Feed } from '../calendar/feed.ts';
import type { EventTemplate } from '../events/templates.ts';
import type { StoredFile } from '../files/ports.ts';
import type { IngestedItem } from '../ingest/ingest.ts';
import type { SavedText, SchoolMessage } from '../messages/message.ts';
import type { StoredText } from '../notifications/content/message.ts';
import type { PushSubscription } from '../people/ports.ts';
import type { Preferences } from '../people/preferences.ts';
import type { School } from '../people/school.ts';
import type { ViewStart } from '../people/view-as.ts';
import type { PlannedReminder } from '../reminders/plan.ts';
import type { Attempt, Webhook } from '../webhooks/webhook.ts';
import type { EventRow } from './events/event-row.ts';
import type { DeliveryRow } from './notifications/delivery-row.ts';
import { IS_DATE, IS_STRING, type Row } from './rows.ts';
import type {
  BudgetRow,
  ContactRow,
  CountRow,
  FactRow,
  HeldRow,
  LimitRow,
  OutsideRow,
  RegistrationRow,
  ReplyRow,
  SignalRow,
  SuppressionRow,
  TallyRow,
} from './stored-rows.ts';
import { UNFINISHED } from './stored-rows.ts';

const ATTEMPTS_KEPT_S = 30 * 86_400;

/** A collection, to which its indexes are added. Only the compiler knows the type of its rows. */
const rows = <Row extends object>(): Schema & { readonly row?: Row } =>
  new Schema({ _id: String }, { strict: false, versionKey: false, autoIndex: false, autoCreate: false });

/** A partial index: it holds only the rows that match `filter`. */
const partial = (name: string, filter: object) => ({ name, partialFilterExpression: filter });

/** The collections and their indexes. A process refuses to start while an index is missing. */
const SCHEMAS = {
  events: rows<EventRow>()
    .index({ parent_event_id: 1 }, partial('series', { parent_event_id: IS_STRING }))
    // Queried every second, and empty except while a waitlist moves.
    .index({ starts_at: 1, seats_to_give: 1 }, partial('seats_to_give', { seats_to_give: true }))
    .index({ publish_at: 1 }, partial('due_to_publish', { status: 'scheduled', deleted_at: null }))
    // The plain list in both orders, the calendar, statistics and date ranges. The school comes first because public
    // addresses name no tenant; the fields after the id let calendars and date ranges skip an event without reading it.
    .index(
      { school_id: 1, tenant_id: 1, starts_at: 1, _id: 1, ends_at: 1, all_day: 1, start_date: 1 },
      { name: 'in_order' },
    )
    // All other filters, search words and visibility, each in the order of the list (event-row.ts). One index instead of
    // twelve: a write updates it only for terms that change.
    .index({ school_id: 1, tenant_id: 1, terms: 1, starts_at: 1, _id: 1 }, { name: 'by_term' })
    // Long events, which are few, are not found by a start near the requested days.
    .index({ school_id: 1, tenant_id: 1, starts_at: 1, _id: 1, ends_at: 1, long: 1 }, partial('long', { long: true }))
    .index({ starts_at: 1, _id: 1 }, partial('due_to_start', { status: 'published', deleted_at: null }))
    .index({ ends_at: 1 }, partial('due_to_complete', { status: 'in_progress', deleted_at: null })),
  /** Changes that can be undone for some seconds. */
  held_changes: rows<HeldRow>()
    .index({ 'events.id': 1 })
    .index({ release_at: 1 }, partial('held', { state: 'held' }))
    .index({ expires_at: 1 }, { expireAfterSeconds: 0 }),
  /** The counters of statistics (event-tallies.ts). */
  event_tallies: rows<TallyRow>()
    .index({ tenant_id: 1, school_id: 1, month: 1 })
    .index({ added: 1 }, partial('added', { added: true })),
  /** Events that schools keep as templates. */
  event_templates: rows<Row<EventTemplate>>().index({ tenant_id: 1, school_id: 1 }),
  facts: rows<FactRow>()
    .index({ event_id: 1, _id: -1 })
    // Holds only facts of the outbox, so it stays small.
    .index({ relay: 1, tenant_id: 1, _id: 1 }, partial('unfinished', { relay: { $in: UNFINISHED } }))
    // Twilio may report the same answer again.
    .index({ 'data.sid': 1 }, { ...partial('one_answer', { type: 'message.answered' }), unique: true })
    .index({ tenant_id: 1, school_id: 1, _id: 1 }, partial('answers', { type: 'message.answered' })),
  /** Messages of the school that belong to no event. */
  messages: rows<Row<SchoolMessage>>().index({ tenant_id: 1, school_id: 1, _id: -1 }),
  /** Confirmations that a person has read an event or a message. */
  acknowledgements: rows<Row<Acknowledgement>>()
    .index({ event_id: 1, user_id: 1, tenant_id: 1, school_id: 1 }, { name: 'one_of_person', unique: true })
    .index({ tenant_id: 1, school_id: 1, user_id: 1 }, { name: 'of_person' }),
  /** Texts that a school keeps to send again. */
  saved_texts: rows<Row<SavedText>>().index({ tenant_id: 1, school_id: 1 }),
  registrations: rows<RegistrationRow>()
    .index({ event_id: 1, user_id: 1 }, { ...partial('one_active', { active: true }), unique: true })
    .index(
      { event_id: 1, 'slots.host_user_id': 1, 'slots.minute': 1 },
      { ...partial('one_of_slot', { active: true, 'slots.minute': { $exists: true } }), unique: true },
    )
    .index({ event_id: 1, user_id: 1, created_at: 1 }, { name: 'of_person' })
    .index({ tenant_id: 1, school_id: 1, user_id: 1 }, { name: 'of_family' })
    .index({ event_id: 1, waitlist_number: 1 }, partial('waitlist', { status: 'waitlisted' }))
    .index({ event_id: 1, _id: 1 }),
  contacts: rows<ContactRow>()
    .index({ tenant_id: 1, school_id: 1, user_id: 1 }, { unique: true })
    .index({ tenant_id: 1, school_id: 1, roles: 1, user_id: 1 })
    .index({ tenant_id: 1, school_id: 1, guardians: 1 })
    .index({ tenant_id: 1, school_id: 1, name: 1, user_id: 1 }, { name: 'by_name' })
    .index({ tenant_id: 1, school_id: 1, words: 1 }, { name: 'by_word' })
    .index({ tenant_id: 1, school_id: 1, addresses: 1 }, { name: 'by_address' }),
  deliveries: rows<DeliveryRow>()
    .index({ event_id: 1, user_id: 1, channel: 1 })
    .index({ tenant_id: 1, school_id: 1, created_at: -1, _id: -1 }, { name: 'of_school' })
    .index({ user_id: 1, created_at: -1, _id: -1 }, { name: 'of_person' })
    .index({ channel: 1, urgent: 1, tenant_id: 1, queued_at: 1, due_at: 1 }, partial('waiting', { status: 'waiting' }))
    .index({ channel: 1, due_at: 1 }, partial('next_due', { status: 'waiting', queued_at: null }))
    .index({ expires_at: 1 }, partial('expiring', { status: 'waiting', expires_at: IS_DATE }))
    .index({ digest_key: 1, due_at: 1 }, partial('held', { status: 'waiting', digest_key: IS_STRING }))
    .index({ tenant_id: 1, school_id: 1, _id: 1 }, partial('quarantined', { status: 'quarantined' }))
    .index({ tenant_id: 1, school_id: 1, reason: 1, settled_at: 1 }, partial('failed', { status: 'failed' }))
    .index({ tenant_id: 1, school_id: 1, user_id: 1, settled_at: -1, _id: -1 }, partial('inbox', { title: IS_STRING }))
    // Finds the message that a text message answers.
    .index({ address: 1, created_at: -1 }, partial('texts', { channel: { $in: ['sms', 'whatsapp'] } }))
    .index({ lease_until: 1 }, partial('leased', { lease_until: IS_DATE }))
    .index({ channel: 1, due_at: 1 }, partial('unknown', { status: 'unknown' })),
  /** Counts of messages, for events whose deliveries have been removed. */
  delivery_counts: rows<CountRow>(),
  /** Personal calendars, found by the hash of their token; the row's id is derived from the person. */
  feeds: rows<Feed>().index({ digest: 1 }, { unique: true }),
  /** Uploaded files; their bytes are on a disk or in a bucket. */
  files: rows<Row<StoredFile>>(),
  /** Changes of inboxes, for the API processes that show them live; removed after minutes. */
  signals: rows<SignalRow>().index({ at: 1 }, { expireAfterSeconds: 600 }),
  reminders: rows<Row<PlannedReminder>>()
    .index({ event_id: 1 })
    .index({ due_at: 1 }, partial('planned', { status: 'planned' })),
  /** Calendars elsewhere that schools subscribe to, with their entries. */
  outside_calendars: rows<OutsideRow>().index({ tenant_id: 1, school_id: 1 }).index({ due_at: 1 }),
  /** Addresses that schools have facts sent to. */
  webhooks: rows<Row<Webhook>>().index({ tenant_id: 1, school_id: 1 }),
  /** One row for each fact and subscription that wants it. */
  webhook_attempts: rows<Row<Attempt>>()
    .index({ webhook_id: 1, fact_id: -1 }, { name: 'one_of_fact', unique: true })
    .index({ webhook_id: 1, due_at: 1 }, partial('due', { status: 'pending' }))
    .index({ tenant_id: 1, school_id: 1, user_id: 1 }, { name: 'of_person' })
    .index({ created_at: 1 }, { expireAfterSeconds: ATTEMPTS_KEPT_S }),
  schools: rows<School>()
    .index({ tenant_id: 1, school_id: 1 }, { unique: true })
    // Public addresses name the school only.
    .index({ school_id: 1 }),
  /** Records that a member of staff viewed the school as another person or role, kept for a year. */
  view_starts: rows<ViewStart>()
    .index({ tenant_id: 1, school_id: 1, user_id: 1 })
    .index({ at: 1 }, { expireAfterSeconds: 365 * 86_400 }),
  preferences: rows<Preferences>().index({ tenant_id: 1, school_id: 1, user_id: 1 }, { unique: true }),
  push_subscriptions: rows<Row<PushSubscription>>()
    .index({ tenant_id: 1, school_id: 1, user_id: 1 })
    .index({ endpoint: 1 }, { unique: true }),
  suppressions: rows<SuppressionRow>().index({ tenant_id: 1, channel: 1, address: 1 }, { unique: true }),
  /** Parts of text messages by tenant and day. */
  sms_budgets: rows<BudgetRow>().index({ expires_at: 1 }, { expireAfterSeconds: 0 }),
  /** Messages to unverified addresses in the last day (daily-limit-stores.ts). */
  address_limits: rows<LimitRow>().index({ expires_at: 1 }, { expireAfterSeconds: 0 }),
  replies: rows<ReplyRow>().index({ expires_at: 1 }, { expireAfterSeconds: 0 }),
  /** Reports of other services, by school and their own id. */
  ingested: rows<IngestedItem>().index({ event_id: 1 }),
  /** The key of this installation. */
  secrets: rows<{ value: string }>(),
  /** Texts of every program version that has drafted messages. */
  texts: rows<Row<StoredText>>(),
  /** Notes of this installation, one row each; the type has the fields of all rows. */
  marks: rows<{ value: string; epoch: number; beat: Date; version: number }>(),
};

export type CollectionName = keyof typeof SCHEMAS;

export function defineCollections(connection: Connection): void {
  for (const [name, schema] of Object.entries(SCHEMAS)) connection.model(name, schema, name);
}

export const COLLECTION_NAMES = Object.keys(SCHEMAS) as CollectionName[];

/** The row type of each collection. */
export type StoredRows = { [Name in CollectionName]: NonNullable<(typeof SCHEMAS)[Name]['row']> };

/** The paths of all text fields of a row, except enums such as a status; `list[].field` within lists. */
type TextPath<T, Path extends string = ''> = T extends string
  ? string extends T
    ? Path
    : never
  : T extends Date | mongo.Timestamp
    ? never
    : T extends readonly (infer Entry)[]
      ? TextPath<Entry, `${Path}[]`>
      : T extends object
        ? { [K in keyof T & string]-?: TextPath<T[K], Path extends '' ? K : `${Path}.${K}`> }[keyof T & string]
        : never;

/** The text fields of a collection, without the ids that every row has. */
export type TextField<Name extends CollectionName> = Exclude<
  TextPath<StoredRows[Name]>,
  '_id' | 'tenant_id' | 'school_id' | 'event_id'
>;
