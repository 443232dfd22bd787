/**
 * How far a database has come: `beat` grows while it is at work, `epoch` whenever an operator accepts one that is older
 * than what was known.
 */
export type Epoch = { epoch: number; beat: Date };

/** Whether a database lies behind what is remembered of it outside: it was restored from a backup. */
export function isBehind(database: Epoch | null, remembered: Epoch | null): boolean {
  if (remembered === null) return false;
  if (database === null || database.epoch < remembered.epoch) return true;
  return database.epoch === remembered.epoch && database.beat < remembered.beat;
}

/** The later one of two memories. */
export const laterOf = (a: Epoch | null, b: Epoch | null): Epoch | null => (a === null || isBehind(a, b) ? b : a);

export const writeEpoch = ({ epoch, beat }: Epoch): string => JSON.stringify({ epoch, beat: beat.toISOString() });

/** @returns null where the text is none of ours */
export function readEpoch(text: string | null): Epoch | null {
  try {
    const { epoch, beat } = JSON.parse(text ?? '');
    const at = new Date(beat);
    return Number.isInteger(epoch) && !Number.isNaN(at.getTime()) ? { epoch, beat: at } : null;
  } catch {
    return null;
  }
}
