import type { EventTemplate, EventTemplateStore } from '../../events/templates.ts';
import { scopeOf } from '../../people/caller.ts';
import type { Database } from '../database.ts';
import { recordOf, rowOf } from '../rows.ts';

export function eventTemplateStore(database: Database): EventTemplateStore {
  const rows = database.collection('event_templates');
  return {
    async list(scope) {
      const found = await rows.find(scopeOf(scope)).toArray();
      return found.map((row) => recordOf<EventTemplate>(row)).sort((a, b) => a.name.localeCompare(b.name));
    },
    async find(scope, id) {
      const row = await rows.findOne({ _id: id, ...scopeOf(scope) });
      return row && recordOf<EventTemplate>(row);
    },
    async insert(template) {
      await rows.insertOne(rowOf(template));
    },
    async rename(scope, id, name, updated_at) {
      const update = { $set: { name, updated_at } };
      const row = await rows.findOneAndUpdate({ _id: id, ...scopeOf(scope) }, update, { returnDocument: 'after' });
      return row && recordOf<EventTemplate>(row);
    },
    async remove(scope, id) {
      return (await rows.deleteOne({ _id: id, ...scopeOf(scope) })).deletedCount === 1;
    },
  };
}
