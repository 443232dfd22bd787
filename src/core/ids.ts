import { createHash, timingSafeEqual } from 'node:crypto';
import { v7 } from 'uuid';

/** Creates an id: UUIDv7 (RFC 9562), so that ids sort by creation time. */
export const newId = (): string => v7();

/** Sorts before every id that `newId` creates at this time or later. */
export const firstIdAt = (at: Date): string => v7({ msecs: at.getTime(), seq: 0, random: new Uint8Array(16) });

/** When `newId` created this id; null for an id of another kind. */
export const createdAtOf = (id: string): Date | null =>
  id[14] === '7' ? new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)) : null;

/** Derives a stable id (UUIDv8, RFC 9562) from names that other systems use. */
export function idOf(...parts: readonly string[]): string {
  const hex = hashOf(...parts);
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/** SHA-256 in hex. Each part is prefixed by its length, so that different lists never give the same input. */
export function hashOf(...parts: readonly (string | number)[]): string {
  // One `update` for all parts: each call costs more than its bytes.
  let text = '';
  for (const part of parts) text += `${String(part).length}:${part}|`;
  return createHash('sha256').update(text).digest('hex');
}

/** Compares a secret with what someone gave for it, in a time that tells nothing of either. */
export function isSameSecret(given: string | Buffer, secret: string | Buffer): boolean {
  const hash = (value: string | Buffer) => createHash('sha256').update(value).digest();
  return timingSafeEqual(hash(given), hash(secret));
}
