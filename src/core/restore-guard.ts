/**
 * The age of a database, to detect a restored backup: `beat` is a heartbeat that workers advance; `epoch` grows when an
 * operator accepts a restored database.
 */
export type DatabaseAge = { epoch: number; beat: Date };

/** Whether a database is older than its age recorded outside of it, so that it must be a restored backup. */
export function isBehind(database: DatabaseAge | null, remembered: DatabaseAge | null): boolean {
  if (remembered === null) return false;
  if (database === null || database.epoch < remembered.epoch) return true;
  return database.epoch === remembered.epoch && database.beat < remembered.beat;
}

/** The later of two ages. */
export const laterOf = (a: DatabaseAge | null, b: DatabaseAge | null): DatabaseAge | null =>
  a === null || isBehind(a, b) ? b : a;

export const serializeAge = ({ epoch, beat }: DatabaseAge): string =>
  JSON.stringify({ epoch, beat: beat.toISOString() });

/** @returns null if `text` is not a serialized age */
export function parseAge(text: string | null): DatabaseAge | null {
  try {
    const { epoch, beat } = JSON.parse(text ?? '');
    const at = new Date(beat);
    return Number.isInteger(epoch) && !Number.isNaN(at.getTime()) ? { epoch, beat: at } : null;
  } catch {
    return null;
  }
}
