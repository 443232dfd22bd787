import type { StoredText, TextStore } from '../../notifications/content/message.ts';
import type { Database } from '../database.ts';
import { insertMissing, recordOf, rowOf } from '../rows.ts';

/** One row per trigger, language and version. Never removed, because they are few and hold no personal data. */
export function textStore(database: Database): TextStore {
  const rows = database.collection('texts');
  return {
    async save(texts) {
      // Nearly always all are stored, and sending them takes ten times as long as asking.
      const stored = rows.find({ _id: { $in: texts.map(({ id }) => id) } }, { projection: { _id: 1 } });
      const known = new Set((await stored.toArray()).map(({ _id }) => _id));
      await insertMissing(rows, texts.filter(({ id }) => !known.has(id)).map(rowOf));
    },
    find: async (ids) =>
      (await rows.find({ _id: { $in: [...ids] } }).toArray()).map((row) => recordOf<StoredText>(row)),
  };
}
