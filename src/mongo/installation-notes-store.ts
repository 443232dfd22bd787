import type { InstallationNotes } from '../events/ports.ts';
import type { Database } from './database.ts';

export function installationNotes(database: Database): InstallationNotes {
  const rows = database.collection('marks');
  return {
    read: async (name) => (await rows.findOne({ _id: name }))?.value ?? null,
    write: async (name, value) => void (await rows.updateOne({ _id: name }, { $set: { value } }, { upsert: true })),
  };
}
