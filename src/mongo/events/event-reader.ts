import { createSemaphore } from '../../core/priority.ts';
import type { SchoolEvent } from '../../events/event.ts';
import { type EventPage, type EventReader, PAGE_BYTES } from '../../events/ports.ts';
import { addDefaults } from '../../events/rules/defaults.ts';
import type { EventFilter } from '../../events/rules/filter.ts';
import { LOCALES } from '../../people/contact.ts';
import type { VisibleEvents } from '../../people/visible-events.ts';
import type { Database } from '../database.ts';
import { beyondQuery, eventQueries, wordQuery } from './event-query.ts';
import type { EventRow } from './event-row.ts';
import { readTallies } from './read-tallies.ts';

/** Pages read at the same time, so that memory stays bounded although the events of each may be large. */
const READS = 4;

/** A search that finds fewer events reads them all; one that finds more reads in the order of the list until the page is full. */
const FEW = 500;

/** The fields that may have more than a few kilobytes. */
const LONG_FIELDS = ['description', 'attachments', 'restricted_to', 'translations', 'registration_questions'] as const;

/** Lists and calendars show titles only. */
const TRANSLATED_TITLES = Object.fromEntries(LOCALES.map((locale) => [`translations.${locale}.title`, 1]));

/** The list of permitted people may be long and matters only while the event is restricted. */
const RESTRICTED_TO = { $cond: [{ $eq: ['$visibility', 'restricted'] }, '$restricted_to', null] };

/** A row with the requested fields; `bytes` only if one of them may be long. */
type Read = EventRow & { id: string; bytes?: number };

export function eventReader(database: Database): EventReader {
  const rows = database.collection('events');
  const limitReads = createSemaphore(READS);

  /** The index for a search: MongoDB would reuse that of the search before, although one word is rare and another common. */
  async function chooseIndex(visible: VisibleEvents, filters: readonly EventFilter[]): Promise<string | undefined> {
    const matching = wordQuery(visible, filters);
    if (!matching) return undefined;
    return (await rows.countDocuments(matching, { limit: FEW, hint: 'by_term' })) < FEW ? 'by_term' : 'in_order';
  }

  /** Merges the ordered results of the queries. */
  async function read(
    visible: VisibleEvents,
    filters: readonly EventFilter[],
    projection: object,
    { descending = false, after = null, limit }: EventPage,
  ): Promise<Read[]> {
    const direction = descending ? -1 : 1;
    const beyond = after ? [beyondQuery(after, descending)] : [];
    const hint = await chooseIndex(visible, filters);
    const how = { projection, sort: { starts_at: direction, _id: direction }, limit, hint } as const;
    const queries = eventQueries(visible, filters).map((query) => ({ $and: [query, ...beyond] }));
    const found = await limitReads(() =>
      Promise.all(queries.map((query) => database.readAll<Read>('events', query, how))),
    );
    const all = found.flat();
    return found.length === 1 ? all : all.sort((a, b) => direction * byStart(a, b)).slice(0, limit);
  }

  return {
    async findPage(visible, filters, fields, page) {
      const found = await read(visible, filters, projectionOf(fields), { ...page, limit: page.limit + 1 });
      let bytes = 0;
      const fitting = found.findIndex((row, at) => {
        bytes += row.bytes ?? 0;
        return at === page.limit || (at > 0 && bytes > PAGE_BYTES);
      });
      const events = fitting === -1 ? found : found.slice(0, fitting);
      for (const row of events) row.id = row._id;
      return { events: addDefaults(events, fields), has_more: fitting !== -1 };
    },
    countByStatus: (visible, days, now) => readTallies(database, visible, days, now),
    async findTenants(school_id) {
      const schools = database.collection('schools').find({ school_id }, { projection: { tenant_id: 1 }, limit: 2 });
      const ofEvents = rows.aggregate<{ _id: string }>([
        { $match: { school_id } },
        { $group: { _id: '$tenant_id' } },
        { $limit: 2 },
      ]);
      const [described, used] = await Promise.all([schools.toArray(), ofEvents.toArray()]);
      return [...new Set([...described.map(({ tenant_id }) => tenant_id), ...used.map(({ _id }) => _id)])].slice(0, 2);
    },
  };
}

const byStart = (a: Read, b: Read): number =>
  a.starts_at.getTime() - b.starts_at.getTime() || (a._id < b._id ? -1 : a._id > b._id ? 1 : 0);

function projectionOf(fields: readonly (keyof SchoolEvent)[]): object {
  const isTitleOnly = (field: string) => field === 'translations' && !fields.includes('description');
  const long = LONG_FIELDS.filter((field) => fields.includes(field) && !isTitleOnly(field));
  const read = Object.fromEntries(
    long.map((field) => [field, field === 'restricted_to' ? RESTRICTED_TO : `$${field}`]),
  );
  return {
    ...Object.fromEntries(['starts_at', ...fields].flatMap((field) => (isTitleOnly(field) ? [] : [[field, 1]]))),
    ...(fields.some(isTitleOnly) ? TRANSLATED_TITLES : {}),
    ...(fields.includes('restricted_to') ? { restricted_to: RESTRICTED_TO } : {}),
    ...(long.length > 0 ? { bytes: { $bsonSize: read } } : {}),
  };
}
