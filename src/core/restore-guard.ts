/**
 * How far a database has come: `beat` grows while workers use it, `epoch` whenever an operator accepts a database that
 * is older than what was known.
 */
export type DatabaseAge = { epoch: number; beat: Date };

/** Whether a database is older than what is remembered of it outside: it was restored from a backup. */
export function isBehind(database: DatabaseAge | null, remembered: DatabaseAge | null): boolean {
  if (remembered === null) return false;
  if (database === null || database.epoch < remembered.epoch) return true;
  return database.epoch === remembered.epoch && database.beat < remembered.beat;
}

/** The later one of two memories. */
export const laterOf = (a: DatabaseAge | null, b: DatabaseAge | null): DatabaseAge | null =>
  a === null || isBehind(a, b) ? b : a;

export const serializeAge = ({ epoch, beat }: DatabaseAge): string =>
  JSON.stringify({ epoch, beat: beat.toISOString() });

/** @returns null if `text` is no serialized age */
export function parseAge(text: string | null): DatabaseAge | null {
  try {
    const { epoch, beat } = JSON.parse(text ?? '');
    const at = new Date(beat);
    return Number.isInteger(epoch) && !Number.isNaN(at.getTime()) ? { epoch, beat: at } : null;
  } catch {
    return null;
  }
}
