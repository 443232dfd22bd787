import type { StoredText, TextStore } from '../../notifications/content/message.ts';
import type { Database } from '../database.ts';
import { insertMissing } from '../rows.ts';

export type TextRow = Omit<StoredText, 'id'> & { _id: string };

/** One row per trigger, language and version. Never removed, because they are few and hold no personal data. */
export function textStore(database: Database): TextStore {
  const rows = database.collection('texts');
  return {
    async save(texts) {
      const ids = texts.map(({ id }) => id);
      const known = await rows.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray();
      const knownIds = new Set(known.map(({ _id }) => _id));
      const missing = texts.filter(({ id }) => !knownIds.has(id));
      await insertMissing(
        rows,
        missing.map(({ id, ...text }) => ({ _id: id, ...text })),
      );
    },

    async find(ids) {
      const found = await rows.find({ _id: { $in: [...ids] } }).toArray();
      return found.map(({ _id, format, text }) => ({ id: _id, format, text }));
    },
  };
}
