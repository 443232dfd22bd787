import { fromKeys } from '../../core/objects.ts';
import type { CollectionName } from '../collections.ts';
import type { Database } from '../database.ts';

/** All schools of a tenant, or one of them. */
export type ExportScope = { tenant_id: string; school_id?: string };

/** `where`: how a row names its school, if not by `tenant_id` and `school_id`. `without`: its secrets. */
type Taken = { where?: 'schools' | 'event'; without?: readonly string[] };
const ALL: Taken = {};

/** How each collection is exported. A collection that is missing here is a type error. */
export const SCHOOL_RECORDS: { readonly [Name in CollectionName]: Taken | { leftOut: string } } = {
  events: ALL,
  held_changes: ALL,
  event_tallies: ALL,
  event_templates: ALL,
  facts: ALL,
  messages: ALL,
  acknowledgements: ALL,
  saved_texts: ALL,
  registrations: ALL,
  contacts: ALL,
  deliveries: ALL,
  delivery_counts: { where: 'event' },
  feeds: { without: ['digest'] },
  files: ALL,
  reminders: ALL,
  outside_calendars: ALL,
  webhooks: { without: ['secrets'] },
  webhook_attempts: ALL,
  schools: ALL,
  view_starts: ALL,
  preferences: ALL,
  push_subscriptions: { without: ['keys'] },
  suppressions: { where: 'schools' },
  ingested: ALL,
  signals: { leftOut: 'signals of the last ten minutes' },
  sms_budgets: { leftOut: 'counters of the last days' },
  address_limits: { leftOut: 'hashes of the last day' },
  replies: { leftOut: 'answers that are kept for a day, in case a request is repeated' },
  secrets: { leftOut: 'keys of the installation' },
  texts: { leftOut: 'texts of the program' },
  marks: { leftOut: 'notes of the installation' },
};

const BATCH = 500;

/** Reads the rows of one collection as stored, a batch at a time. */
export function readSchoolRecords(
  database: Database,
  name: CollectionName,
  { where, without = [] }: Taken,
  { tenant_id, school_id }: ExportScope,
): AsyncIterable<object> {
  const rows = database.collection<Record<string, unknown>>(name);
  // The driver leaves out a school that is undefined.
  if (where === 'event') return rows.aggregate(ofEvents({ tenant_id, school_id }), { batchSize: BATCH });
  const ofSchool = where === 'schools' ? { tenant_id, schools: school_id } : { tenant_id, school_id };
  return rows.find(ofSchool, { projection: fromKeys(without, () => 0), batchSize: BATCH });
}

/** Rows whose id is that of an event or a message of the school. */
const ofEvents = (scope: object): object[] => {
  const found = ['events', 'messages'].map((from) => ({
    $lookup: { from, localField: '_id', foreignField: '_id', pipeline: [{ $match: scope }], as: from },
  }));
  return [
    ...found,
    { $match: { $or: [{ 'events.0': { $exists: true } }, { 'messages.0': { $exists: true } }] } },
    { $project: { events: 0, messages: 0 } },
  ];
};
