import type { CollectionName } from '../collections.ts';
import { forTerm, term } from '../events/event-row.ts';
import type { TextField } from './stored-rows.ts';

/** How the erasure of a person treats a field. */
export type Treatment =
  /** holds nothing of a person */
  | 'nobody'
  /** the user id of a person: see REPLACE, PULL, REMOVE and REKEY; `term`: the search term that holds it too */
  | { id: 'replace' | 'pull' | 'remove' | 'rekey'; term?: (user_id: string) => string }
  /** about the person whose id is at `of`: changes to `to` with it; `whole`: the object that changes in its place */
  | { of: string; to: '' | null | typeof UNSET; whole?: string }
  /** goes in the named way */
  | { goes: string }
  /** may hold something of a person and stays, for the named reason */
  | { stays: string };

export type PersonFields = { [Name in CollectionName]: Record<TextField<Name>, Treatment> };

export const UNSET = Symbol('unset');

/** An alias takes the place of the id, so that what others did and the numbers keep their sense. */
const REPLACE = { id: 'replace' } as const;
/** The id leaves its list. */
const PULL = { id: 'pull' } as const;
/** The document goes. */
const REMOVE = { id: 'remove' } as const;
/** As REPLACE, and the document gets another id: its own is a digest of the address. */
const REKEY = { id: 'rekey' } as const;

const each =
  <T extends Treatment>(treatment: T) =>
  <Field extends string>(...fields: Field[]) =>
    Object.fromEntries(fields.map((field) => [field, treatment])) as Record<Field, T>;
const nobody = each('nobody');
const withDocument = each({ goes: 'with its document' });
const byStaff = each({ stays: 'staff wrote it about the event; who may edit the event removes names from it' });
const clearedWith = (of: string, to: '' | null | typeof UNSET) => each({ of, to });

const PLACE = ['name', 'address', 'room', 'building', 'virtualLink'] as const;
const placeAt = <At extends string>(at: At) => PLACE.map((field) => `${at}.location.${field}` as const);
const SCHEDULE = ['start_date', 'end_date', 'start_time', 'end_time', 'timezone'] as const;
const scheduleAt = <At extends string>(at: At) => SCHEDULE.map((field) => `${at}.${field}` as const);

/**
 * Every text field of every collection, and what erasing a person does with it (docs/security.md, "Erasing a person").
 * `list[].field` is a field of each entry of a list. A field of a row's type that is not in here does not compile.
 */
export const PERSON_FIELDS: PersonFields = {
  events: {
    organizer_id: { ...REPLACE, term: (user_id) => term('organizer', user_id) },
    ...clearedWith('organizer_id', UNSET)('organizer.name', 'organizer.email'),
    created_by: REPLACE,
    'restricted_to.user_ids[]': { ...PULL, term: (user_id) => forTerm('user_ids', user_id) },
    'origin.source': REPLACE,
    'terms[]': { goes: 'with the id that the term holds' },
    ...byStaff('title', 'description', 'cancellation_reason', 'postponement_reason', 'location_name', 'tags[]'),
    ...byStaff('categories[]', 'attachments[].name', 'attachments[].url', 'image_url', 'banner_url'),
    ...byStaff('registration_url', 'location.mapLink', ...PLACE.map((field) => `location.${field}` as const)),
    ...byStaff('untold_change.place', 'untold_change.where.location_name', ...placeAt('untold_change.where')),
    ...nobody(...SCHEDULE, ...scheduleAt('untold_change.schedule'), 'tz_version', 'currency'),
    ...nobody('occurrence_date', 'recurrence_end_date', 'recurrence_id', 'parent_event_id', 'duplicated_from_id'),
    ...nobody('department_id', 'class_id', 'grade_level_ids[]', 'attachments[].mime_type'),
    ...nobody('restricted_to.class_ids[]', 'restricted_to.grade_level_ids[]', 'restricted_to.department_ids[]'),
    ...nobody('origin.external_id', 'origin.mark'),
  },
  facts: {
    'actor.user_id': REPLACE,
    'data.user_id': REPLACE,
    ...clearedWith('data.user_id', UNSET)('data.reason'),
    'data.delivery_id': { goes: 'changes with the id of the delivery' },
    checkpoint: { stays: 'how far a fan-out has come, until it is processed' },
    ...byStaff('data.subject', 'data.body', 'data.previous_place.location_name', ...placeAt('data.previous_place')),
    ...nobody(...scheduleAt('data.previous'), 'data.announced_with', 'data.says', 'data.channel', 'data.channels[]'),
    ...nobody('data.duplicated_from_id', 'data.parent_event_id', 'data.fields[]', 'data.kind', 'data.status'),
    ...nobody('data.promoted_by', 'data.publish_at', 'data.registration_id', 'data.reminder_id', 'data.trigger'),
    ...nobody('data.type'),
  },
  registrations: {
    user_id: REPLACE,
    ...clearedWith('user_id', null)('notes', 'cancel_reason'),
    // An address of the person goes from the registrations of others too (person-addresses.ts).
    'contact.email': { of: 'user_id', to: null, whole: 'contact' },
    'contact.phone': { of: 'user_id', to: null, whole: 'contact' },
    registered_by: REPLACE,
    'origin.external_id': { stays: 'by it the next report of the other service finds the registration' },
    ...nobody('origin.mark', 'promoted_by'),
  },
  deliveries: {
    user_id: REKEY,
    ...clearedWith('user_id', '')('name'),
    // An address of the person goes from messages to others too (person-addresses.ts).
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
    ...nobody('fact_id', 'provider', 'registration_ids[]', 'template_version', 'timezone'),
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
  preferences: {
    user_id: REMOVE,
    ...withDocument('opted_out[]', 'quiet_hours.from', 'quiet_hours.to'),
  },
  push_subscriptions: {
    user_id: REMOVE,
    ...withDocument('endpoint', 'keys.auth', 'keys.p256dh'),
  },
  inbox: {
    user_id: REMOVE,
    title: { goes: 'with its document, also from the inbox of a guardian who was notified on behalf of the person' },
    body: { goes: 'with its document, also from the inbox of a guardian who was notified on behalf of the person' },
    ...withDocument('trigger', 'url'),
  },
  signals: {
    'marked.user_id': REMOVE,
    'arrived[].user_id': REMOVE,
    ...withDocument('marked.id', 'marked.tenant_id', 'marked.school_id'),
    ...withDocument('arrived[].id', 'arrived[].tenant_id', 'arrived[].school_id'),
  },
  suppressions: {
    address: { goes: 'with its document, unless somebody else in the tenant has the address (person-addresses.ts)' },
    ...nobody('why', 'schools[]'),
  },
  replies: {
    'reply.body': { goes: 'a reply that names the person says from then on that there is nobody (person-replies.ts)' },
    ...nobody('mark', 'request'),
  },
  ingested: {
    source: REPLACE,
    ...nobody('item_id', 'mark'),
  },
  address_limits: {
    'counted[].id': { stays: 'digests of messages to an unverified address, for a day' },
  },
  schools: nobody(
    'name',
    'sender_name',
    'timezone',
    'quiet_hours.from',
    'quiet_hours.to',
    'term_calendar[].name',
    'term_calendar[].start_date',
    'term_calendar[].end_date',
  ),
  tellings: nobody('by'),
  secrets: nobody('value', 'secrets[].value'),
  marks: nobody('value'),
  delivery_counts: {},
  reminders: {},
  sms_budgets: {},
  texts: {},
};
