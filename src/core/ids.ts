import { createHash } from 'node:crypto';
import { v7 } from 'uuid';

/** A new identifier: UUIDv7 (RFC 9562), so that ids sort by the time they were made. */
export const newId = (): string => v7();

/** The same id for the same parts (UUIDv8, RFC 9562): for things that other systems name. */
export function idOf(...parts: readonly string[]): string {
  const hex = digestOf(...parts);
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/** sha256 in hex over parts that can't run into each other (each is prefixed by its length). */
export function digestOf(...parts: readonly (string | number)[]): string {
  // One update for all: each call costs more than the bytes do.
  let text = '';
  for (const part of parts) text += `${String(part).length}:${part}|`;
  return createHash('sha256').update(text).digest('hex');
}
