import type { Connection } from 'mongoose';
import { open } from './collection.ts';
import { deliveries } from './notifications/delivery-row.ts';

/**
 * The collections and their indexes; the shapes of the rows are TypeScript types. A process refuses to start while an index
 * is missing.
 */
const events = open('events')
  .index({ waitlisted: 1 }, { name: 'with_waitlist', partialFilterExpression: { waitlisted: { $gt: 0 } } })
  .index({ parent_event_id: 1 }, { name: 'series', partialFilterExpression: { parent_event_id: { $type: 'string' } } })
  // Queried every second, and empty except while a waitlist moves.
  .index(
    { starts_at: 1, seats_to_give: 1 },
    { name: 'seats_to_give', partialFilterExpression: { seats_to_give: true } },
  )
  .index(
    { publish_at: 1 },
    { name: 'due_to_publish', partialFilterExpression: { status: 'scheduled', deleted_at: null } },
  )
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
  .index(
    { school_id: 1, tenant_id: 1, starts_at: 1, _id: 1, ends_at: 1, long: 1 },
    { name: 'long', partialFilterExpression: { long: true } },
  )
  .index(
    { starts_at: 1, _id: 1 },
    { name: 'due_to_start', partialFilterExpression: { status: 'published', deleted_at: null } },
  )
  .index(
    { ends_at: 1 },
    { name: 'due_to_complete', partialFilterExpression: { status: 'in_progress', deleted_at: null } },
  );

/** Changes that can be undone for some seconds. */
const held_changes = open('held_changes')
  .index({ 'events.id': 1 })
  .index({ release_at: 1 }, { name: 'held', partialFilterExpression: { state: 'held' } })
  .index({ expires_at: 1 }, { expireAfterSeconds: 0 });

/** The counters of statistics (event-tallies.ts). */
const event_tallies = open('event_tallies')
  .index({ tenant_id: 1, school_id: 1, month: 1 })
  .index({ added: 1 }, { name: 'added', partialFilterExpression: { added: true } });

/** Events that schools keep as templates. */
const event_templates = open('event_templates').index({ tenant_id: 1, school_id: 1 });

/** Outbox states of a fact: unpublished (urgent or not), and published but not processed. */
export const UNFINISHED = ['urgent', 'pending', 'handed_on'] as const;

const facts = open('facts')
  .index({ event_id: 1, _id: -1 })
  // Holds only facts of the outbox, so it stays small.
  .index(
    { relay: 1, tenant_id: 1, _id: 1 },
    { name: 'unfinished', partialFilterExpression: { relay: { $in: UNFINISHED } } },
  )
  // Twilio may report the same answer again.
  .index({ 'data.sid': 1 }, { name: 'one_answer', unique: true, partialFilterExpression: { type: 'message.answered' } })
  .index(
    { tenant_id: 1, school_id: 1, _id: 1 },
    { name: 'answers', partialFilterExpression: { type: 'message.answered' } },
  );

/** Messages of the school that belong to no event. */
const messages = open('messages').index({ tenant_id: 1, school_id: 1, _id: -1 });

/** Who has confirmed having read an event or a message. */
const acknowledgements = open('acknowledgements')
  .index({ event_id: 1, user_id: 1, tenant_id: 1, school_id: 1 }, { name: 'one_of_person', unique: true })
  .index({ tenant_id: 1, school_id: 1, user_id: 1 }, { name: 'of_person' });

/** Texts that a school keeps to send again. */
const saved_texts = open('saved_texts').index({ tenant_id: 1, school_id: 1 });

const registrations = open('registrations')
  .index({ event_id: 1, user_id: 1 }, { name: 'one_active', unique: true, partialFilterExpression: { active: true } })
  .index(
    { event_id: 1, 'slots.host_user_id': 1, 'slots.minute': 1 },
    { name: 'one_of_slot', unique: true, partialFilterExpression: { active: true, 'slots.minute': { $exists: true } } },
  )
  .index({ event_id: 1, user_id: 1, created_at: 1 }, { name: 'of_person' })
  .index({ tenant_id: 1, school_id: 1, user_id: 1 }, { name: 'of_family' })
  .index({ event_id: 1, waitlist_number: 1 }, { name: 'waitlist', partialFilterExpression: { status: 'waitlisted' } })
  .index({ event_id: 1, status: 1, _id: 1 })
  .index({ event_id: 1, _id: 1 });

const contacts = open('contacts')
  .index({ tenant_id: 1, school_id: 1, user_id: 1 }, { unique: true })
  .index({ tenant_id: 1, school_id: 1, roles: 1, user_id: 1 })
  .index({ tenant_id: 1, school_id: 1, guardians: 1 })
  .index({ tenant_id: 1, school_id: 1, words: 1 }, { name: 'by_word' })
  .index({ tenant_id: 1, school_id: 1, addresses: 1 }, { name: 'by_address' });

/** Counts of messages, for events whose deliveries have been removed. */
const delivery_counts = open('delivery_counts');

/** Personal calendars, found by the digest of their token; the row's id is derived from the person. */
const feeds = open('feeds').index({ digest: 1 }, { unique: true });

/** Changes of inboxes, for the API processes that show them live; removed after minutes. */
const signals = open('signals').index({ at: 1 }, { expireAfterSeconds: 600 });

/** Uploaded files; their bytes are on a disk or in a bucket. */
const files = open('files');

const reminders = open('reminders')
  .index({ event_id: 1 })
  .index({ due_at: 1 }, { name: 'planned', partialFilterExpression: { status: 'planned' } });

/** Calendars elsewhere that schools subscribe to, with their entries. */
const outside_calendars = open('outside_calendars').index({ tenant_id: 1, school_id: 1 }).index({ due_at: 1 });

/** Addresses that schools have facts sent to. */
const webhooks = open('webhooks').index({ tenant_id: 1, school_id: 1 });

const ATTEMPTS_KEPT_S = 30 * 86_400;

/** One row for each fact and subscription that wants it. */
const webhook_attempts = open('webhook_attempts')
  .index({ webhook_id: 1, fact_id: -1 }, { name: 'one_of_fact', unique: true })
  .index({ webhook_id: 1, due_at: 1 }, { name: 'due', partialFilterExpression: { status: 'pending' } })
  .index(
    { tenant_id: 1, school_id: 1, user_id: 1 },
    { name: 'of_person', partialFilterExpression: { user_id: { $type: 'string' } } },
  )
  .index({ created_at: 1 }, { expireAfterSeconds: ATTEMPTS_KEPT_S });

const schools = open('schools')
  .index({ tenant_id: 1, school_id: 1 }, { unique: true })
  // Public addresses name the school only.
  .index({ school_id: 1 });

/** Who viewed the school as whom, for a year. */
const view_starts = open('view_starts')
  .index({ tenant_id: 1, school_id: 1, user_id: 1 })
  .index({ at: 1 }, { expireAfterSeconds: 365 * 86_400 });

const preferences = open('preferences').index({ tenant_id: 1, school_id: 1, user_id: 1 }, { unique: true });

const push_subscriptions = open('push_subscriptions')
  .index({ tenant_id: 1, school_id: 1, user_id: 1 })
  .index({ endpoint: 1 }, { unique: true });

const suppressions = open('suppressions').index({ tenant_id: 1, channel: 1, address: 1 }, { unique: true });

/** Parts of text messages by tenant and day. */
const sms_budgets = open('sms_budgets').index({ expires_at: 1 }, { expireAfterSeconds: 0 });

/** Messages to unverified addresses in the last day (daily-limit-stores.ts). */
const address_limits = open('address_limits').index({ expires_at: 1 }, { expireAfterSeconds: 0 });

const replies = open('replies').index({ expires_at: 1 }, { expireAfterSeconds: 0 });

/** Reports of other services, by school and their own id. */
const ingested = open('ingested').index({ event_id: 1 });

const secrets = open('secrets');

/** Texts of every program version that has drafted messages. */
const texts = open('texts');

/** Notes of this installation, one row each. */
const marks = open('marks');

const SCHEMAS = {
  events,
  held_changes,
  event_tallies,
  event_templates,
  facts,
  messages,
  acknowledgements,
  saved_texts,
  registrations,
  contacts,
  deliveries,
  delivery_counts,
  feeds,
  files,
  signals,
  reminders,
  outside_calendars,
  webhooks,
  webhook_attempts,
  schools,
  view_starts,
  preferences,
  push_subscriptions,
  suppressions,
  sms_budgets,
  address_limits,
  replies,
  ingested,
  secrets,
  texts,
  marks,
};

export type CollectionName = keyof typeof SCHEMAS;

export function defineCollections(connection: Connection): void {
  for (const [name, schema] of Object.entries(SCHEMAS)) connection.model(name, schema);
}

export const COLLECTION_NAMES = Object.keys(SCHEMAS) as CollectionName[];
