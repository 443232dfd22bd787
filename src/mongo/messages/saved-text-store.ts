import type { SavedText, SavedTextStore } from '../../messages/saved-texts.ts';
import { scopeOf } from '../../people/caller.ts';
import type { Database } from '../database.ts';
import { recordOf, rowOf } from '../rows.ts';

export function savedTextStore(database: Database): SavedTextStore {
  const rows = database.collection('saved_texts');
  return {
    async list(scope) {
      const texts = (await rows.find(scopeOf(scope)).toArray()).map((row) => recordOf<SavedText>(row));
      return texts.sort((a, b) => a.name.localeCompare(b.name));
    },
    async insert(text) {
      await rows.insertOne(rowOf(text));
    },
    async replace(text) {
      const { _id, ...row } = rowOf(text);
      return (await rows.replaceOne({ _id, ...scopeOf(text) }, row)).matchedCount === 1;
    },
    async remove(scope, id) {
      return (await rows.deleteOne({ _id: id, ...scopeOf(scope) })).deletedCount === 1;
    },
  };
}
