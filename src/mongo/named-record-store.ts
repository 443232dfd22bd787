import { scopeOf } from '../people/caller.ts';
import type { NamedRecord, NamedRecordStore } from '../people/named-records.ts';
import type { Database } from './database.ts';
import { foundRecord, type Row, recordsOf, rowOf } from './rows.ts';

export function namedRecordStore<T extends NamedRecord>(
  database: Database,
  name: 'event_templates' | 'saved_texts',
): NamedRecordStore<T> {
  const rows = database.collection<Row<T>>(name);
  return {
    async list(scope) {
      return (await recordsOf<T>(rows.find(scopeOf(scope)))).sort((a, b) => a.name.localeCompare(b.name));
    },
    find: (scope, id) => foundRecord<T>(rows.findOne({ _id: id, ...scopeOf(scope) })),
    insert: (record) => rows.insertOne(rowOf(record)),
    change(record) {
      const { _id, ...fields } = rowOf(record);
      const after = { returnDocument: 'after' } as const;
      return foundRecord<T>(rows.findOneAndUpdate({ _id, ...scopeOf(record) }, { $set: fields }, after));
    },
    remove: async (scope, id) => (await rows.deleteOne({ _id: id, ...scopeOf(scope) })).deletedCount === 1,
  };
}
