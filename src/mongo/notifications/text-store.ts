import type { StoredText, TextStore } from '../../notifications/content/message.ts';
import type { Database } from '../database.ts';
import { insertMissing, recordOf, rowOf } from '../rows.ts';

/** One row per trigger, language and version. Never removed, because they are few and hold no personal data. */
export function textStore(database: Database): TextStore {
  const rows = database.collection('texts');
  return {
    save: async (texts) => void (await insertMissing(rows, texts.map(rowOf))),
    async find(ids) {
      const found = rows.find({ _id: { $in: [...ids] } });
      return (await found.toArray()).map((row) => recordOf<StoredText>(row));
    },
  };
}
