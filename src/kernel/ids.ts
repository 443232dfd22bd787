import { createHash } from 'node:crypto';
import { v7 } from 'uuid';

/** A new identifier: UUIDv7 (RFC 9562), so that ids sort by the time they were made. */
export const newId = (): string => v7();

/** sha256 in hex over parts that can't run into each other (each is prefixed by its length). */
export function digestOf(...parts: readonly (string | number)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) {
    const text = String(part);
    hash.update(`${text.length}:${text}|`);
  }
  return hash.digest('hex');
}
