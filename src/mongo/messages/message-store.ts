import type { MessageStore, SchoolMessage } from '../../messages/message.ts';
import { scopeOf } from '../../people/caller.ts';
import type { Database } from '../database.ts';
import { foundRecord, inTx, recordsOf, rowOf } from '../rows.ts';

export function messageStore(database: Database): MessageStore {
  const rows = database.collection('messages');
  return {
    insert: (message, tx) => rows.insertOne(rowOf(message), inTx(tx)),
    async withdraw(scope, id, withdrawn_at, tx) {
      const sent = { _id: id, ...scopeOf(scope), status: 'sent' };
      const update = { $set: { status: 'withdrawn', withdrawn_at } };
      return (await rows.updateOne(sent, update, inTx(tx))).modifiedCount === 1;
    },
    find: (scope, id, tx) => foundRecord<SchoolMessage>(rows.findOne({ _id: id, ...scopeOf(scope) }, inTx(tx))),
    findMany: (ids, tx) => recordsOf(rows.find({ _id: { $in: ids } }, inTx(tx))),
    list(scope, { before, limit }) {
      const found = rows.find({
        ...scopeOf(scope),
        is_test: { $ne: true },
        is_notice: { $ne: true },
        _id: before && { $lt: before },
      });
      return recordsOf(found.sort({ _id: -1 }).limit(limit));
    },
  };
}
