import type { IncomingHttpHeaders } from 'node:http';
import { invalid } from '../core/errors.ts';

type Versioned = { version: number };

export const etagOf = ({ version }: Versioned): string => `"v${version}"`;

/**
 * The version that `If-Match` names; undefined where any will do. A tag that was never ours, or a weak one (RFC 9110),
 * is a version nothing has.
 * @throws Refused `validation_failed` for a list, since a change is based on one state
 */
export function ifMatchOf({ 'if-match': header }: IncomingHttpHeaders): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  if (header.includes(',')) throw invalid([{ pointer: '/headers/if-match', message: 'must be a single entity tag' }]);
  const version = /^"v(\d{1,15})"$/.exec(header.trim())?.[1];
  return version === undefined ? -1 : Number(version);
}

/** Whether `If-None-Match` names this state: nothing new to tell. */
export function isUnchanged({ 'if-none-match': header }: IncomingHttpHeaders, current: Versioned): boolean {
  if (header === undefined) return false;
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etagOf(current));
}
