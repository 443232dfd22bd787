import { batchesOf } from '../../core/chunks-of.ts';
import type { SchoolEvent } from '../../events/event.ts';
import { type EventPage, type EventReader, type EventTally, PAGE_BYTES } from '../../events/ports.ts';
import { STORED_FIELDS } from '../../events/rules/defaults.ts';
import type { EventFilter } from '../../events/rules/filter.ts';
import { SEEN_FIELDS } from '../../people/visibility.ts';
import type { VisibleEvents } from '../../people/visible-events.ts';
import type { Database } from '../database.ts';
import { eventQueries } from './event-query.ts';
import { type EventRow, eventOf } from './event-row.ts';
import type { Query } from './visible-query.ts';

/** Rows per answer of the database: a typical page takes two answers, at most two megabytes of the largest events. */
const BATCH = 26;
/** The same for rows without their long texts: a month of a large school then takes half as long. */
const SHORT_BATCH = 100;

/** The list of permitted people may be long and matters only while the event is restricted. */
const RESTRICTED_TO = { $cond: [{ $eq: ['$visibility', 'restricted'] }, '$restricted_to', null] };
const ALWAYS = { ...projectionOf(['starts_at', ...SEEN_FIELDS]), restricted_to: RESTRICTED_TO };

/** All shown fields of an event, and its size. */
const WHOLE = { ...projectionOf(STORED_FIELDS), bytes: { $bsonSize: '$$ROOT' } };

/** A row with the requested fields; `bytes` only with `WHOLE`. */
type Read = EventRow & { bytes: number };

export function eventReader(database: Database): EventReader {
  const rows = database.collection('events');

  /** Merges the ordered results of the queries. Closes its cursors even if the caller stops early. */
  async function* inOrder(
    visible: VisibleEvents,
    filters: readonly EventFilter[],
    projection: object,
    { descending = false, after = null, limit }: EventPage,
    batchSize = BATCH,
  ): AsyncGenerator<Read> {
    const direction = descending ? -1 : 1;
    const beyond = after ? [beyondOf(after, descending)] : [];
    const cursors = eventQueries(visible, filters).map((query) =>
      rows
        .find({ $and: [query, ...beyond] }, { projection })
        .sort({ starts_at: direction, _id: direction })
        .limit(limit)
        .batchSize(batchSize),
    );
    const next = async (at: number) => (await cursors[at]?.next()) as Read | null;
    try {
      const heads = await Promise.all(cursors.map((_, at) => next(at)));
      for (let given = 0; given < limit; given++) {
        const at = firstOf(heads, direction);
        const first = heads[at];
        if (!first) return;
        yield first;
        heads[at] = await next(at);
      }
    } finally {
      await Promise.all(cursors.map((cursor) => cursor.close()));
    }
  }

  return {
    async page(visible, filters, page) {
      const events: SchoolEvent[] = [];
      let bytes = 0;
      for await (const row of inOrder(visible, filters, WHOLE, { ...page, limit: page.limit + 1 })) {
        bytes += row.bytes;
        const isFull = events.length === page.limit || (events.length > 0 && bytes > PAGE_BYTES);
        if (isFull) return { events, has_more: true };
        events.push(eventOf(row));
      }
      return { events, has_more: false };
    },
    async *batches(visible, filters, fields, page) {
      const projection = { ...projectionOf(fields), ...ALWAYS };
      const batchSize = (fields as readonly string[]).includes('description') ? BATCH : SHORT_BATCH;
      const found = inOrder(visible, filters, projection, page, batchSize);
      for await (const batch of batchesOf(found, batchSize)) yield batch.map(eventOf);
    },
    async tally(visible, filters, now) {
      const group = {
        _id: { event_type: '$event_type', status: '$status' },
        count: { $sum: 1 },
        ahead: { $sum: { $cond: [{ $gt: ['$starts_at', now] }, 1, 0] } },
        seats: { $sum: '$current_attendees' },
      };
      type Group = Omit<EventTally, 'event_type' | 'status'> & { _id: Pick<EventTally, 'event_type' | 'status'> };
      const [query] = eventQueries(visible, filters);
      const groups = await rows.aggregate<Group>([{ $match: query }, { $group: group }]).toArray();
      return groups.map(({ _id, ...numbers }) => ({ ..._id, ...numbers }));
    },
    async tenantsOf(school_id) {
      const schools = database.collection('schools');
      const [described, used] = await Promise.all([
        schools
          .find({ school_id }, { projection: { tenant_id: 1 } })
          .limit(2)
          .toArray(),
        rows
          .aggregate<{ _id: string }>([
            { $match: { school_id } },
            { $sort: { school_id: 1, tenant_id: 1 } },
            { $group: { _id: '$tenant_id', first: { $first: '$tenant_id' } } },
            { $limit: 2 },
          ])
          .toArray(),
      ]);
      return [...new Set([...described.map(({ tenant_id }) => tenant_id), ...used.map(({ _id }) => _id)])].slice(0, 2);
    },
  };
}

/** Uses no `$or`, so that MongoDB uses the order and bounds of the index. */
function beyondOf({ at, id }: { at: Date; id: string }, descending: boolean): Query {
  return descending
    ? { starts_at: { $lte: at }, $nor: [{ starts_at: at, _id: { $gte: id } }] }
    : { starts_at: { $gte: at }, $nor: [{ starts_at: at, _id: { $lte: id } }] };
}

/** The index of the row that comes first; any index if none is left. */
function firstOf(heads: readonly (Read | null)[], direction: 1 | -1): number {
  let found = 0;
  for (const [at, row] of heads.entries()) {
    const first = heads[found];
    if (row && (!first || direction * byStart(row, first) < 0)) found = at;
  }
  return found;
}

const byStart = (a: Read, b: Read): number =>
  a.starts_at.getTime() - b.starts_at.getTime() || (a._id < b._id ? -1 : a._id > b._id ? 1 : 0);

function projectionOf(fields: readonly string[]): Record<string, 1> {
  return Object.fromEntries(fields.map((field) => [field, 1]));
}
