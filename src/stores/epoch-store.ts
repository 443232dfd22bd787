import type { Epoch } from '../kernel/epoch.ts';
import type { Database } from './database.ts';

/** What the database knows of its own age. */
export type EpochStore = {
  read(): Promise<Epoch | null>;
  /** The database is at work: its beat becomes its clock's now. @returns what it is after that */
  beat(): Promise<Epoch>;
  /** Begins a new epoch. */
  begin(epoch: number): Promise<Epoch>;
  /** Whether nothing has ever happened here. */
  isNew(): Promise<boolean>;
};

type Row = { _id: string; epoch: number; beat: Date };

export function epochStore(database: Database): EpochStore {
  const rows = database.collection<Row>('marks');
  const _id = 'epoch';
  const move = async (epoch: object | number): Promise<Epoch> => {
    const after = await rows.findOneAndUpdate({ _id }, [{ $set: { epoch, beat: { $max: ['$beat', '$$NOW'] } } }], {
      upsert: true,
      returnDocument: 'after',
    });
    if (!after) throw new Error('the epoch could not be written');
    return { epoch: after.epoch, beat: after.beat };
  };
  return {
    async read() {
      const row = await rows.findOne({ _id });
      return row ? { epoch: row.epoch, beat: row.beat } : null;
    },
    beat: () => move({ $ifNull: ['$epoch', 1] }),
    begin: (epoch) => move(epoch),
    isNew: async () => (await database.collection('facts').findOne({}, { projection: { _id: 1 } })) === null,
  };
}
