import { scopeOf } from '../people/caller.ts';
import type { PlannedReminder } from '../reminders/plan.ts';
import type { ReminderStore } from '../reminders/ports.ts';
import { type Database, inTx } from './database.ts';
import { type Row, recordOf, rowOf } from './rows.ts';

export function reminderStore(database: Database): ReminderStore {
  const rows = database.collection<Row<PlannedReminder>>('reminders');
  return {
    async bringInto(event_ids, wanted, tx) {
      const keep = wanted.map((reminder) => reminder.id);
      await rows.updateMany(
        { event_id: { $in: [...event_ids] }, status: 'planned', _id: { $nin: keep } },
        { $set: { status: 'dropped' } },
        inTx(tx),
      );
      if (wanted.length === 0) return;
      const upserts = wanted.map((reminder) => {
        const { _id, status, ...rest } = rowOf(reminder);
        return { updateOne: { filter: { _id }, update: { $setOnInsert: { status, ...rest } }, upsert: true } };
      });
      await rows.bulkWrite(upserts as never, inTx(tx));
      // Wanted again after it was dropped: unpublished, then published once more.
      const again = wanted.filter((reminder) => reminder.status === 'planned').map((reminder) => reminder.id);
      await rows.updateMany({ _id: { $in: again }, status: 'dropped' }, { $set: { status: 'planned' } }, inTx(tx));
    },
    async due(limit) {
      const found = rows.find({ status: 'planned', due_at: { $lte: database.clock.now() } });
      return (await found.sort({ due_at: 1 }).limit(limit).toArray()).map((row) => recordOf<PlannedReminder>(row));
    },
    async markRaised(id, tx) {
      const done = await rows.updateOne({ _id: id, status: 'planned' }, { $set: { status: 'raised' } }, inTx(tx));
      return done.modifiedCount === 1;
    },
    async ofEvent(scope, event_id) {
      const found = rows.find({ event_id, ...scopeOf(scope) }).sort({ due_at: 1, _id: 1 });
      return (await found.toArray()).map((row) => recordOf<PlannedReminder>(row));
    },
  };
}
