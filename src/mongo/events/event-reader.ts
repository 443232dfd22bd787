import type { SchoolEvent } from '../../events/event.ts';
import type { EventReader, EventTally } from '../../events/ports.ts';
import type { Database } from '../database.ts';
import { eventQueries } from './event-query.ts';
import { type EventRow, WITHOUT_TERMS } from './event-row.ts';
import { shownEventOf } from './shown-event.ts';
import type { Query } from './visible-query.ts';

export function eventReader(database: Database): EventReader {
  const rows = database.collection<EventRow>('events');
  return {
    async page(visible, filters, { descending = false, after = null, limit }) {
      const direction = descending ? -1 : 1;
      const beyond = after ? [beyondOf(after, descending)] : [];
      const found = await Promise.all(
        eventQueries(visible, filters).map((query) =>
          rows
            .find({ $and: [query, ...beyond] } as never, { projection: WITHOUT_TERMS })
            .sort({ starts_at: direction, _id: direction })
            .limit(limit)
            .toArray(),
        ),
      );
      const parts = found.map((part) => part.map(shownEventOf));
      return parts.length === 1 ? (parts[0] ?? []) : merged(parts, direction).slice(0, limit);
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
      const schools = database.collection<{ _id: string; tenant_id: string; school_id: string }>('schools');
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

/** Written without an alternative, so that the index's order and bound are used as they are. */
function beyondOf({ at, id }: { at: Date; id: string }, descending: boolean): Query {
  return descending
    ? { starts_at: { $lte: at }, $nor: [{ starts_at: at, _id: { $gte: id } }] }
    : { starts_at: { $gte: at }, $nor: [{ starts_at: at, _id: { $lte: id } }] };
}

function merged(parts: readonly SchoolEvent[][], direction: 1 | -1): SchoolEvent[] {
  const order = (a: SchoolEvent, b: SchoolEvent) =>
    a.starts_at.getTime() - b.starts_at.getTime() || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
  return parts.flat().sort((a, b) => direction * order(a, b));
}
