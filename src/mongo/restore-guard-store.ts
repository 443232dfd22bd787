import type { DatabaseAge } from '../core/restore-guard.ts';
import type { Database } from './database.ts';

/** What the database knows of its own age. */
export type RestoreGuardStore = {
  readAge(): Promise<DatabaseAge | null>;
  /** Identity of the collection of deliveries; dropped and created again, it has another one. Null: it does not exist. */
  readCollectionId(): Promise<string | null>;
  /**
   * Moves the beat to the database's now, unless the database is behind `known`.
   * @returns the age after that; null if it is behind
   */
  beat(known: DatabaseAge | null): Promise<DatabaseAge | null>;
  /** Begins a new epoch. */
  begin(epoch: number): Promise<DatabaseAge>;
  /** Whether nothing has ever happened here. */
  isNew(): Promise<boolean>;
};

type Row = { _id: string; epoch: number; beat: Date };

export function restoreGuardStore(database: Database): RestoreGuardStore {
  const rows = database.collection<Row>('marks');
  const _id = 'epoch';
  const move = async (filter: object, epoch: object | number, upsert: boolean): Promise<DatabaseAge | null> => {
    const now = { epoch, beat: { $max: ['$beat', '$$NOW'] } };
    const after = await rows.findOneAndUpdate({ ...filter, _id }, [{ $set: now }], { upsert, returnDocument: 'after' });
    return after && { epoch: after.epoch, beat: after.beat };
  };
  const begin = async (epoch: object | number): Promise<DatabaseAge> => {
    const begun = await move({}, epoch, true);
    if (!begun) throw new Error('the age of the database could not be written');
    return begun;
  };
  return {
    async readAge() {
      const row = await rows.findOne({ _id });
      return row ? { epoch: row.epoch, beat: row.beat } : null;
    },
    readCollectionId: () => database.collectionId('deliveries'),
    beat: (known) =>
      known
        ? move({ epoch: known.epoch, beat: { $gte: known.beat } }, known.epoch, false)
        : begin({ $ifNull: ['$epoch', 1] }),
    begin,
    isNew: async () => (await database.collection('facts').findOne({}, { projection: { _id: 1 } })) === null,
  };
}
