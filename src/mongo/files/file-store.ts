import { type Group, groupBy } from '../../core/groups.ts';
import { fileIdsIn } from '../../files/file-types.ts';
import type { FileStore, StoredFile } from '../../files/ports.ts';
import { scopeKey, scopeOf } from '../../people/caller.ts';
import type { Database } from '../database.ts';
import { fileIdsOf, term } from '../events/event-row.ts';
import { bounds, foundRecord, recordsOf, rowOf } from '../rows.ts';

export function fileStore(database: Database): FileStore {
  const rows = database.collection('files');
  const events = database.collection('events');
  const templates = database.collection('event_templates');
  const schools = database.collection('schools');

  async function findUsedInSchool(files: Group<StoredFile>): Promise<string[]> {
    const scope = scopeOf(files[0]);
    const wanted = files.map(({ id }) => term('file', id));
    const using = { ...scope, terms: { $in: wanted }, deleted_at: null };
    const [found, kept, school] = await Promise.all([
      events.find(using, { projection: { terms: 1 } }).toArray(),
      templates.find(scope, { projection: { attachments: 1, image_url: 1, banner_url: 1 } }).toArray(),
      schools.findOne(scope, { projection: { logo_url: 1 } }),
    ]);
    const terms = new Set(found.flatMap((event) => event.terms));
    const inEvents = files.map(({ id }) => id).filter((id) => terms.has(term('file', id)));
    return [...inEvents, ...kept.flatMap(fileIdsOf), ...fileIdsIn([school?.logo_url])];
  }

  return {
    insert: (file) => rows.insertOne(rowOf(file)),
    find: (id) => foundRecord<StoredFile>(rows.findOne({ _id: id })),
    findPage: (after, limit) => recordsOf(rows.find({ ...bounds('_id', after) }, { sort: { _id: 1 }, limit })),
    findUsed: async (files) => new Set((await Promise.all(groupBy([...files], scopeKey).map(findUsedInSchool))).flat()),
    async setUnused(ids, unused_at) {
      if (ids.length > 0) await rows.updateMany({ _id: { $in: ids } }, { $set: { unused_at } });
    },
    async remove(id) {
      await rows.deleteOne({ _id: id });
    },
  };
}
