import type { DatabaseAge } from '../core/restore-guard.ts';
import type { InstallationNotes } from '../events/ports.ts';
import type { Database } from './database.ts';
import { exists } from './rows.ts';

/** The age of the database, stored in the database itself. */
export function restoreGuardStore(database: Database) {
  const rows = database.collection('marks');
  const _id = 'epoch';
  const move = async (filter: object, epoch: object | number, upsert: boolean): Promise<DatabaseAge | null> => {
    const now = { epoch, beat: { $max: ['$beat', '$$NOW'] } };
    const after = await rows.findOneAndUpdate({ ...filter, _id }, [{ $set: now }], { upsert, returnDocument: 'after' });
    return after && { epoch: after.epoch, beat: after.beat };
  };
  const beginAt = async (epoch: object | number): Promise<DatabaseAge> => {
    const age = await move({}, epoch, true);
    if (!age) throw new Error('the age of the database could not be written');
    return age;
  };
  return {
    async readAge(): Promise<DatabaseAge | null> {
      const row = await rows.findOne({ _id });
      return row ? { epoch: row.epoch, beat: row.beat } : null;
    },
    /** Id of the deliveries collection, which changes if it is dropped and created again. Null: it does not exist. */
    readCollectionId: () => database.collectionId('deliveries'),
    /**
     * Advances the beat to the database's clock, unless the database is behind `known`.
     * @returns the new age; null if it is behind
     */
    beat: (known: DatabaseAge | null): Promise<DatabaseAge | null> =>
      known
        ? move({ epoch: known.epoch, beat: { $gte: known.beat } }, known.epoch, false)
        : beginAt({ $ifNull: ['$epoch', 1] }),
    /** Starts a new epoch. */
    begin: (epoch: number) => beginAt(epoch),
    /** Whether the database has no facts yet. */
    isNew: async () => !(await exists(database.collection('facts'), {})),
  };
}

export type RestoreGuardStore = ReturnType<typeof restoreGuardStore>;

/** Notes of the installation, such as the version of the time zones that its events follow. */
export function installationNotes(database: Database): InstallationNotes {
  const rows = database.collection('marks');
  return {
    read: async (name) => (await rows.findOne({ _id: name }))?.value ?? null,
    write: async (name, value) => void (await rows.updateOne({ _id: name }, { $set: { value } }, { upsert: true })),
  };
}
