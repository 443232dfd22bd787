import { searchWords } from '../kernel/search-words.ts';
import { type Scope, scopeOf } from '../people/caller.ts';
import type { Contact } from '../people/contact.ts';
import type { ContactStore } from '../people/ports.ts';
import type { Database } from './database.ts';

/** `words`: of the name, to be found by. */
type ContactRow = Contact & { _id: string; words?: string[] };

/** Read by hundreds of thousands where everyone is told. */
const WITHOUT_WORDS = { projection: { words: 0 } } as const;

const GROUPS = ['class_ids', 'grade_level_ids', 'department_ids'] as const;

/** The row's id is made of tenant, school and person, so that an upsert goes by `_id`. */
const idOf = (scope: Scope, user_id: string): string => JSON.stringify([scope.tenant_id, scope.school_id, user_id]);

export function contactStore(database: Database): ContactStore {
  const rows = database.collection<ContactRow>('contacts');
  const contactOf = ({ _id: _, words: _words, ...contact }: ContactRow): Contact => contact;
  return {
    async find(scope, user_id) {
      const row = await rows.findOne({ _id: idOf(scope, user_id) });
      return row ? contactOf(row as ContactRow) : null;
    },
    async findMany(scope, user_ids) {
      const ids = user_ids.map((user_id) => idOf(scope, user_id));
      return ids.length === 0
        ? []
        : (await rows.find({ _id: { $in: ids } }).toArray()).map((row) => contactOf(row as ContactRow));
    },
    async childrenOf(scope, guardian_ids) {
      const found = rows.find({ ...scopeOf(scope), guardians: { $in: [...guardian_ids] } });
      return (await found.toArray()).map((row) => contactOf(row as ContactRow));
    },
    async pageAfter(scope, after, limit, { roles }) {
      const filter = {
        ...scopeOf(scope),
        ...(roles ? { roles: { $in: [...roles] } } : {}),
        ...(after === null ? {} : { user_id: { $gt: after } }),
      };
      const found = rows
        .find(filter as never, WITHOUT_WORDS)
        .sort({ user_id: 1 })
        .limit(limit);
      return (await found.toArray()).map((row) => contactOf(row as ContactRow));
    },
    async putMany(contacts) {
      const replacements = contacts.map((contact) => ({
        replaceOne: {
          filter: { _id: idOf(contact, contact.user_id) },
          replacement: { ...contact, words: searchWords(contact.name) },
          upsert: true,
        },
      }));
      if (replacements.length === 0) return { inserted: 0, replaced: 0 };
      const result = await rows.bulkWrite(replacements as never, { ordered: false });
      return { inserted: result.upsertedCount, replaced: result.matchedCount };
    },
    async remove(scope, user_id) {
      return (await rows.deleteOne({ _id: idOf(scope, user_id) })).deletedCount === 1;
    },
    async search(scope, { words, user_ids, after, limit }) {
      const parts = [
        scopeOf(scope),
        ...words.map((word) => ({ words: { $regex: `^${word}` } })),
        ...(user_ids ? [{ _id: { $in: user_ids.map((user_id) => idOf(scope, user_id)) } }] : []),
        ...(after ? [{ $or: [{ name: { $gt: after.at } }, { name: after.at, user_id: { $gt: after.id } }] }] : []),
      ];
      const found = rows
        .find({ $and: parts } as never)
        .sort({ name: 1, user_id: 1 })
        .limit(limit);
      return (await found.toArray()).map((row) => contactOf(row as ContactRow));
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
