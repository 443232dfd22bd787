import { type Scope, scopeOf } from '../../people/caller.ts';
import type { SeatAuditStore } from '../../registrations/ports.ts';
import { type Database, inTx } from '../database.ts';

const NAMED = { _id: 1, tenant_id: 1, school_id: 1 } as const;

export function seatAuditStore(database: Database): SeatAuditStore {
  const events = database.collection('events');
  const registrations = database.collection('registrations');
  const named = (row: Scope & { _id: string }) => ({ id: row._id, ...scopeOf(row) });
  return {
    async eventsAfter(after, limit) {
      const later = after === null ? {} : { _id: { $gt: after } };
      const found = events.find({ deleted_at: null, ...later }, { projection: NAMED });
      return (await found.sort({ _id: 1 }).limit(limit).toArray()).map(named);
    },
    async eventsWithFreeSeats(limit) {
      const filter = { seats_to_give: true, starts_at: { $gt: database.clock.now() }, deleted_at: null };
      return (await events.find(filter, { projection: NAMED }).limit(limit).toArray()).map(named);
    },
    async counts(scope, event_id, tx) {
      const of = { event_id, ...scopeOf(scope) };
      const byStatus = registrations.aggregate<{ _id: string; count: number; overridden: number; last: number | null }>(
        [
          { $match: { ...of, status: { $ne: 'cancelled' } } },
          {
            $group: {
              _id: '$status',
              count: { $sum: 1 },
              overridden: { $sum: { $cond: ['$override', 1, 0] } },
              last: { $max: '$waitlist_number' },
            },
          },
        ],
        inTx(tx),
      );
      const rows = await byStatus.toArray();
      const count = (status: string) => rows.find((row) => row._id === status)?.count ?? 0;
      return {
        taken: count('pending') + count('confirmed'),
        overridden: rows.reduce((sum, row) => sum + row.overridden, 0),
        waiting: count('waitlisted'),
        last_waitlist_number: Math.max(0, ...rows.map((row) => row.last ?? 0)),
      };
    },
  };
}
