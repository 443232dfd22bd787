import { searchWords } from '../../core/search-words.ts';
import { scopeOf } from '../../people/caller.ts';
import type { Contact } from '../../people/contact.ts';
import type { ContactStore } from '../../people/ports.ts';
import type { Database } from '../database.ts';
import { personId, personIds } from '../person-id.ts';

/** `words`: of the name, to be found by. */
type ContactRow = Contact & { _id: string; words?: string[] };

/** Without what is for looking up only: read by hundreds of thousands where everyone is told, and handed on as they come. */
const PLAIN = { projection: { _id: 0, words: 0 } } as const;

const GROUPS = ['class_ids', 'grade_level_ids', 'department_ids'] as const;

export function contactStore(database: Database): ContactStore {
  const rows = database.collection<ContactRow>('contacts');
  return {
    async find(scope, user_id) {
      return (await rows.findOne({ _id: personId(scope, user_id) }, PLAIN)) as Contact | null;
    },
    async findMany(scope, user_ids) {
      if (user_ids.length === 0) return [];
      return database.readAll<Contact>('contacts', { _id: { $in: personIds(scope, user_ids) } }, PLAIN);
    },
    async childrenOf(scope, guardian_ids) {
      const theirs = { ...scopeOf(scope), guardians: { $in: [...guardian_ids] } };
      return database.readAll<Contact>('contacts', theirs, PLAIN);
    },
    async pageAfter(scope, after, limit, { roles }) {
      const filter = {
        ...scopeOf(scope),
        ...(roles ? { roles: { $in: [...roles] } } : {}),
        ...(after === null ? {} : { user_id: { $gt: after } }),
      };
      return database.readAll<Contact>('contacts', filter, { ...PLAIN, sort: { user_id: 1 }, limit });
    },
    async putMany(contacts) {
      const replacements = contacts.map((contact) => ({
        replaceOne: {
          filter: { _id: personId(contact, contact.user_id) },
          replacement: { ...contact, words: searchWords(contact.name) },
          upsert: true,
        },
      }));
      if (replacements.length === 0) return { inserted: 0, replaced: 0 };
      const result = await rows.bulkWrite(replacements as never, { ordered: false });
      return { inserted: result.upsertedCount, replaced: result.matchedCount };
    },
    async remove(scope, user_id) {
      return (await rows.deleteOne({ _id: personId(scope, user_id) })).deletedCount === 1;
    },
    async search(scope, { words, user_ids, after, limit }) {
      const parts = [
        scopeOf(scope),
        ...words.map((word) => ({ words: { $regex: `^${word}` } })),
        ...(user_ids ? [{ _id: { $in: personIds(scope, user_ids) } }] : []),
        ...(after ? [{ $or: [{ name: { $gt: after.at } }, { name: after.at, user_id: { $gt: after.id } }] }] : []),
      ];
      const found = rows
        .find({ $and: parts } as never, PLAIN)
        .sort({ name: 1, user_id: 1 })
        .limit(limit);
      return (await found.toArray()) as unknown as Contact[];
    },
    async groups(scope) {
      const of = async (kind: (typeof GROUPS)[number]) => {
        const counted = await rows
          .aggregate<{ _id: string; people: number }>([
            { $match: scopeOf(scope) },
            { $project: { [kind]: 1 } },
            { $unwind: `$${kind}` },
            { $group: { _id: `$${kind}`, people: { $sum: 1 } } },
          ])
          .toArray();
        return counted.map(({ _id: id, people }) => ({ id, people }));
      };
      const [class_ids, grade_level_ids, department_ids] = await Promise.all(GROUPS.map(of));
      return {
        class_ids: class_ids ?? [],
        grade_level_ids: grade_level_ids ?? [],
        department_ids: department_ids ?? [],
      };
    },
  };
}
