import type { StoredText, TextStore } from '../../notifications/content/message.ts';
import type { Database } from '../database.ts';
import { findIds, insertMissing, recordsOf, rowOf } from '../rows.ts';

/** One row per trigger, language and version. Never removed, because they are few and hold no personal data. */
export function textStore(database: Database): TextStore {
  const rows = database.collection('texts');
  return {
    async save(texts) {
      // Nearly always all are stored, and sending them takes ten times as long as asking.
      const known = new Set(await findIds(rows, { _id: { $in: texts.map(({ id }) => id) } }));
      await insertMissing(rows, texts.filter(({ id }) => !known.has(id)).map(rowOf));
    },
    find: (ids) => recordsOf<StoredText>(rows.find({ _id: { $in: ids } })),
  };
}
