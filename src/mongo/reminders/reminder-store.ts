import { scopeOf } from '../../people/caller.ts';
import { PLAN_STATUSES, type PlannedReminder, type ReminderStore } from '../../reminders/plan.ts';
import type { Database } from '../database.ts';
import { findEarliest, findIds, IS_DATE, inTx, recordsOf, rowOf } from '../rows.ts';

export function reminderStore(database: Database): ReminderStore {
  const rows = database.collection('reminders');
  const planned = { status: 'planned' } as const;
  return {
    listOfEvents: (event_ids, tx) => recordsOf(rows.find({ event_id: { $in: event_ids } }, inTx(tx))),
    async apply({ insert, change }, tx) {
      if (insert.length > 0) await rows.insertMany(insert.map(rowOf), inTx(tx));
      // Dropped reminders all get the same update.
      const dropped = change.filter(({ status }) => status === 'dropped').map(({ id }) => id);
      if (dropped.length > 0)
        await rows.updateMany({ _id: { $in: dropped }, ...planned }, { $set: { status: 'dropped' } }, inTx(tx));
      const other = change.filter(({ status }) => status !== 'dropped');
      if (other.length === 0) return;
      const writes = other.map(({ id, ...rest }) => ({ updateOne: { filter: { _id: id }, update: { $set: rest } } }));
      await rows.bulkWrite(writes, inTx(tx));
    },
    findDue(limit, withinMs) {
      const due = { ...planned, due_at: { $lte: new Date(database.clock.now().getTime() + withinMs) } };
      return findIds(rows, due, { sort: { due_at: 1 }, limit });
    },
    findNextDue: () => findEarliest(rows, 'due_at', { ...planned, due_at: IS_DATE }),
    async recordOutcome(ids, statusOf, tx) {
      const reminders = await recordsOf<PlannedReminder>(rows.find({ _id: { $in: ids }, ...planned }, inTx(tx)));
      for (const status of PLAN_STATUSES) {
        const settled = reminders.filter((reminder) => statusOf(reminder) === status).map(({ id }) => id);
        if (settled.length > 0) await rows.updateMany({ _id: { $in: settled } }, { $set: { status } }, inTx(tx));
      }
      return reminders;
    },
    listOfEvent: (scope, event_id) => recordsOf(rows.find({ event_id, ...scopeOf(scope) }).sort({ due_at: 1, _id: 1 })),
  };
}
