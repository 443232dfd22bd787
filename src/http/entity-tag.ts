import type { IncomingHttpHeaders } from 'node:http';
import { invalidField } from '../core/errors.ts';
import type { SchoolEvent } from '../events/event.ts';
import { isAfterDeadline } from '../registrations/seats/admission.ts';

/** The version of an event, and whether its deadline has passed: the clock alone then changes `allowed_actions`. */
export const etagOf = (event: Pick<SchoolEvent, 'version' | 'registration_deadline'>, now: Date): string =>
  `"v${event.version}${isAfterDeadline(event, now) ? '-closed' : ''}"`;

/**
 * The version that `If-Match` names; undefined if the header is missing or `*`. An unknown or weak tag (RFC 9110) gives
 * -1, which matches no version.
 * @throws Refused `validation_failed` for a list of tags, because a change is based on one state
 */
export function ifMatchOf({ 'if-match': header }: IncomingHttpHeaders): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  if (header.includes(',')) throw invalidField('/headers/if-match', 'must be one ETag, not a list', 'one_etag');
  const version = /^"v(\d{1,15})(?:-closed)?"$/.exec(header.trim())?.[1];
  return version === undefined ? -1 : Number(version);
}

/** Whether `If-None-Match` names this tag, so that 304 is the response. */
export function isKnownTag({ 'if-none-match': header }: IncomingHttpHeaders, etag: string): boolean {
  if (header === undefined) return false;
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}
