import type { OutsideCalendar, OutsideCalendarStore, OutsideEntry } from '../../events/outside-calendar.ts';
import { scopeOf } from '../../people/caller.ts';
import type { Database } from '../database.ts';
import { foundRecord, recordsOf, rowOf } from '../rows.ts';

type Entries = { name: string; entries: OutsideEntry[] };

/** Each calendar is a row with its entries, which are at most a few thousand. */
export function outsideCalendarStore(database: Database): OutsideCalendarStore {
  const rows = database.collection('outside_calendars');
  const withoutEntries = { projection: { entries: 0 } };
  return {
    async list(scope) {
      const found = await recordsOf<OutsideCalendar>(rows.find(scopeOf(scope), withoutEntries));
      return found.sort((a, b) => a.name.localeCompare(b.name));
    },
    insert: (calendar) => rows.insertOne({ ...rowOf(calendar), entries: [] }),
    remove: async (scope, id) => (await rows.deleteOne({ _id: id, ...scopeOf(scope) })).deletedCount === 1,
    async findEntries(scope, from, until) {
      const cond = { $and: [{ $lt: ['$$this.starts_at', until] }, { $gt: ['$$this.ends_at', from] }] };
      const found = await rows
        .aggregate<Entries>([
          { $match: scopeOf(scope) },
          { $project: { name: 1, entries: { $filter: { input: '$entries', cond } } } },
        ])
        .toArray();
      return found.flatMap(({ name, entries }) => entries.map((entry) => ({ ...entry, calendar: name })));
    },
    takeDue(now, next) {
      const due = { due_at: { $lte: now } };
      return foundRecord<OutsideCalendar>(rows.findOneAndUpdate(due, { $set: { due_at: next } }, withoutEntries));
    },
    async record(id, reading, now) {
      await rows.updateOne({ _id: id }, { $set: reading.entries ? { ...reading, read_at: now } : reading });
    },
  };
}
