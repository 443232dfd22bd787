import { type Scope, scopeOf } from '../../people/caller.ts';
import type { SeatAuditStore, SeatCounts } from '../../registrations/ports.ts';
import { type Database, inTx } from '../database.ts';

const isConfirmed = { $eq: ['$status', 'confirmed'] };
const CONFIRMED_COUNTS = {
  confirmed: { $sum: { $cond: [isConfirmed, 1, 0] } },
  checked_in: { $sum: { $cond: [{ $and: [isConfirmed, { $gt: ['$checked_in_at', null] }] }, 1, 0] } },
};

const NAMED = { _id: 1, tenant_id: 1, school_id: 1 } as const;

export function seatAuditStore(database: Database): SeatAuditStore {
  const events = database.collection('events');
  const registrations = database.collection('registrations');
  const named = (row: Scope & { _id: string }) => ({ id: row._id, ...scopeOf(row) });
  return {
    async eventsAfter(after, limit) {
      const later = after === null ? {} : { _id: { $gt: after } };
      const found = events.find({ deleted_at: null, ...later }, { projection: { _id: 1 } });
      return (await found.sort({ _id: 1 }).limit(limit).toArray()).map((row) => row._id);
    },
    async eventsWithFreeSeats(limit) {
      const filter = { seats_to_give: true, starts_at: { $gt: database.clock.now() }, deleted_at: null };
      return (await events.find(filter, { projection: NAMED }).limit(limit).toArray()).map(named);
    },
    async counts(event_ids, tx) {
      const countIf = (condition: unknown) => ({ $sum: { $cond: [condition, 1, 0] } });
      const byEvent = registrations.aggregate<SeatCounts & { _id: string }>(
        [
          { $match: { event_id: { $in: [...event_ids] }, status: { $ne: 'cancelled' } } },
          {
            $group: {
              _id: '$event_id',
              current_attendees: countIf({ $in: ['$status', ['pending', 'confirmed']] }),
              waitlisted: countIf({ $eq: ['$status', 'waitlisted'] }),
              ...CONFIRMED_COUNTS,
              overridden: countIf('$override'),
              last_waitlist_number: { $max: { $ifNull: ['$waitlist_number', 0] } },
            },
          },
        ],
        inTx(tx),
      );
      return new Map((await byEvent.toArray()).map(({ _id, ...counts }) => [_id, counts]));
    },
  };
}
