import { fromKeys } from '../../core/objects.ts';
import { LOCALES } from '../../people/contact.ts';
import type { CollectionName, TextField } from '../collections.ts';
import { forTerm, term } from '../events/event-row.ts';

/** How the erasure of a person treats a field. */
export type Treatment =
  /** holds no personal data */
  | 'none'
  /** the user id of a person: see REPLACE, PULL, REMOVE and REKEY; `term`: the search term that contains it too */
  | { id: 'replace' | 'pull' | 'remove' | 'rekey'; term?: (user_id: string) => string }
  /** describes the person whose id is at `of`: changes to `to` with it; `whole`: the object that changes instead */
  | { of: string; to: '' | null | typeof UNSET; whole?: string }
  /** is removed in the named way */
  | { goes: string }
  /** may contain personal data and stays, for the named reason */
  | { stays: string };

export type PersonFields = { [Name in CollectionName]: Record<TextField<Name>, Treatment> };

export const UNSET = Symbol('unset');

/** An alias replaces the id, so that the actions of others and counts stay meaningful. */
const REPLACE = { id: 'replace' } as const;
/** The id is removed from its list. */
const PULL = { id: 'pull' } as const;
/** The document is removed. */
const REMOVE = { id: 'remove' } as const;
/** As REPLACE, and the document gets a new id, because the old one is a hash of the address. */
const REKEY = { id: 'rekey' } as const;

const each =
  <T extends Treatment>(treatment: T) =>
  <Field extends string>(...fields: Field[]) =>
    fromKeys(fields, () => treatment);
const none = each('none');
const withDocument = each({ goes: 'with its document' });
const byStaff = each({ stays: 'staff wrote it about the event; who may edit the event removes names from it' });
const clearedWith = (of: string, to: '' | null | typeof UNSET) => each({ of, to });

const inEachLanguage = <Field extends string>(...fields: Field[]) =>
  LOCALES.flatMap((locale) => fields.map((field) => `translations.${locale}.${field}` as const));
const PLACE = ['name', 'address', 'room', 'building', 'virtualLink'] as const;
const placeAt = <At extends string>(at: At) => PLACE.map((field) => `${at}.location.${field}` as const);
const SCHEDULE = ['start_date', 'end_date', 'start_time', 'end_time', 'timezone'] as const;
const scheduleAt = <At extends string>(at: At) => SCHEDULE.map((field) => `${at}.${field}` as const);

/** The fields of an event that staff write. */
const EVENT_TEXTS = {
  ...clearedWith('organizer_id', UNSET)('organizer.name', 'organizer.email'),
  ...byStaff(...inEachLanguage('title', 'description')),
  ...byStaff('title', 'description', 'location_name', 'tags[]', 'categories[]', 'registration_url'),
  ...byStaff('registration_questions[].label', 'registration_questions[].options[]'),
  ...byStaff('attachments[].name', 'attachments[].url', 'image_url', 'banner_url'),
  ...byStaff('location.mapLink', ...PLACE.map((field) => `location.${field}` as const)),
  ...none(...SCHEDULE, 'recurrence_end_date', 'currency', 'attachments[].mime_type'),
  ...none('registration_questions[].id'),
  'slots.hosts[].user_id': REPLACE,
  ...clearedWith('slots.hosts[].user_id', '')('slots.hosts[].name'),
  ...none('department_id', 'class_id', 'grade_level_ids[]'),
  ...none('restricted_to.class_ids[]', 'restricted_to.grade_level_ids[]', 'restricted_to.department_ids[]'),
};

/**
 * Every text field of every collection, and what erasing a person does with it (docs/security.md, "Erasing a person").
 * `list[].field` is a field of each entry of a list. A field of a row's type that is not in here does not compile.
 */
export const PERSON_FIELDS: PersonFields = {
  events: {
    organizer_id: { ...REPLACE, term: (user_id) => term('organizer', user_id) },
    ...EVENT_TEXTS,
    created_by: REPLACE,
    'restricted_to.user_ids[]': { ...PULL, term: (user_id) => forTerm('user_ids', user_id) },
    'origin.source': REPLACE,
    'terms[]': { goes: 'with the id that the term holds' },
    ...byStaff('cancellation_reason', 'postponement_reason'),
    ...byStaff('untold_change.place', 'untold_change.where.location_name', ...placeAt('untold_change.where')),
    ...none(...scheduleAt('untold_change.schedule'), 'tz_version', 'overrides[]'),
    ...none('occurrence_date', 'recurrence_id', 'parent_event_id', 'duplicated_from_id'),
    ...none('origin.external_id', 'origin.mark'),
  },
  // Held for a minute at most; what staff wrote is recorded with its fact.
  held_changes: { 'facts[].actor.user_id': REPLACE, ...none('events[].id') },
  event_tallies: none('month'),
  event_templates: {
    ...EVENT_TEXTS,
    organizer_id: REPLACE,
    'restricted_to.user_ids[]': PULL,
    ...byStaff('name'),
  },
  facts: {
    'actor.user_id': REPLACE,
    'data.user_id': REPLACE,
    ...clearedWith('data.user_id', UNSET)('data.reason', 'data.name', 'data.email', 'data.text'),
    'data.delivery_id': { goes: 'changes with the id of the delivery' },
    'parts[].after': { stays: 'the progress of a fan-out, until the fact is processed' },
    'parts[].until': { stays: 'the end of a part of a fan-out, until the fact is processed' },
    ...byStaff('data.subject', 'data.body', 'data.previous_place.location_name', ...placeAt('data.previous_place')),
    ...byStaff('data.also[].previous_place.location_name', ...placeAt('data.also[].previous_place')),
    ...none(...scheduleAt('data.also[].previous'), 'data.also[].event_id', 'data.also[].says', 'data.also[].fields[]'),
    ...none(...scheduleAt('data.previous'), 'data.announced_with', 'data.says', 'data.channel', 'data.channels[]'),
    ...none('data.duplicated_from_id', 'data.parent_event_id', 'data.fields[]', 'data.kind', 'data.status'),
    ...none('data.promoted_by', 'data.publish_at', 'data.registration_id', 'data.reminder_id', 'data.trigger'),
    ...none('data.type', 'data.sid', 'data.sample.trigger', 'data.family[]', 'data.code', 'traceparent'),
  },
  messages: {
    created_by: REPLACE,
    ...clearedWith('created_by', UNSET)('reply_to.name', 'reply_to.email'),
    ...byStaff('subject', 'body', ...inEachLanguage('subject', 'body')),
    ...none('class_id', 'grade_level_ids[]'),
  },
  acknowledgements: {
    user_id: REMOVE,
    by: REPLACE,
    ...withDocument('note'),
  },
  saved_texts: {
    ...byStaff('name', 'subject', 'body', ...inEachLanguage('subject', 'body')),
  },
  registrations: {
    user_id: REPLACE,
    ...clearedWith('user_id', null)('notes', 'cancel_reason'),
    // The person's addresses are removed from registrations of others too (person-addresses.ts).
    'contact.email': { of: 'user_id', to: null, whole: 'contact' },
    'contact.phone': { of: 'user_id', to: null, whole: 'contact' },
    ...each({ of: 'user_id', to: UNSET, whole: 'answers' } as const)('answers[].question_id', 'answers[].value'),
    'answers[].consented_by': REPLACE,
    ...clearedWith('answers[].consented_by', '')('answers[].consented_name'),
    registered_by: REPLACE,
    'slots[].host_user_id': REPLACE,
    'origin.external_id': { stays: 'by it the next report of the other service finds the registration' },
    ...none('origin.mark', 'promoted_by'),
  },
  deliveries: {
    user_id: REKEY,
    ...clearedWith('user_id', '')('name'),
    // The person's addresses are removed from messages to others too (person-addresses.ts).
    ...clearedWith('user_id', UNSET)('address', 'provider_id', 'claim', 'detail', 'digest_key', 'digest_id'),
    ...clearedWith('user_id', UNSET)('digest_ids[]'),
    'on_behalf_of[].user_id': REPLACE,
    ...clearedWith('on_behalf_of[].user_id', '')('on_behalf_of[].name'),
    'also[].user_id': REPLACE,
    ...clearedWith('also[].user_id', '')('also[].name'),
    'also[].on_behalf_of[].user_id': REPLACE,
    ...clearedWith('also[].on_behalf_of[].user_id', '')('also[].on_behalf_of[].name'),
    given_by: REPLACE,
    'address_owners[]': PULL,
    ...each({ goes: 'out of every inbox whose entry is for the person or names the person (person-traces.ts)' })(
      'title',
      'body',
    ),
    ...none('fact_id', 'other_sequences', 'provider', 'registration_ids[]', 'template_version', 'timezone'),
  },
  contacts: {
    user_id: REMOVE,
    'guardians[]': PULL,
    ...withDocument('name', 'words[]', 'addresses[]', 'email', 'phone', 'timezone'),
    ...withDocument('class_ids[]', 'grade_level_ids[]', 'department_ids[]'),
  },
  feeds: {
    user_id: REMOVE,
    'children[]': PULL,
    ...withDocument('digest', 'class_ids[]', 'grade_level_ids[]', 'department_ids[]'),
  },
  files: {
    ...byStaff('name'),
    ...none('mime_type'),
  },
  view_starts: {
    user_id: REMOVE,
    by: REPLACE,
  },
  preferences: {
    user_id: REMOVE,
    ...withDocument('opted_out[]', 'quiet_hours.from', 'quiet_hours.to'),
  },
  push_subscriptions: {
    user_id: REMOVE,
    ...withDocument('endpoint', 'keys.auth', 'keys.p256dh'),
  },
  signals: {
    'marked.user_id': REMOVE,
    'arrived[].user_id': REMOVE,
    ...withDocument('marked.id', 'marked.tenant_id', 'marked.school_id'),
    ...withDocument('arrived[].id', 'arrived[].tenant_id', 'arrived[].school_id'),
  },
  suppressions: {
    address: { goes: 'with its document, unless another person in the tenant has the address (person-addresses.ts)' },
    ...none('why', 'schools[]'),
  },
  replies: {
    'reply.body': { goes: 'a reply that names the person is replaced by "not found" (person-replies.ts)' },
    ...none('mark', 'request', 'outdated.body'),
  },
  ingested: {
    source: REPLACE,
    ...none('item_id', 'mark'),
  },
  address_limits: {
    'counted[].id': { stays: 'hashes of messages to an unverified address, for a day' },
  },
  outside_calendars: {
    'entries[].title': { stays: 'as the other calendar has it, read anew every hour' },
    ...none('name', 'url', 'timezone'),
    ...none('entries[].start_date', 'entries[].end_date', 'entries[].start_time', 'entries[].end_time'),
  },
  webhooks: {
    ...byStaff('description'),
    ...none('url', 'secrets[].value'),
  },
  webhook_attempts: {
    user_id: REPLACE,
    ...clearedWith('user_id', null)('body'),
    ...none('webhook_id', 'fact_id'),
  },
  schools: {
    ...none('name', 'sender_name', 'color', 'logo_url', 'timezone', 'quiet_hours.from', 'quiet_hours.to'),
    ...none('term_calendar[].name', 'term_calendar[].start_date', 'term_calendar[].end_date'),
  },
  secrets: none('value'),
  marks: none('value'),
  delivery_counts: {},
  reminders: {},
  sms_budgets: {},
  texts: {},
};
