import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Type } from 'typebox';
import type { Answer } from '../route.ts';
import { nothing } from '../schemas/fields.ts';

export const ICS_TYPE = 'text/calendar';

/** What a route of a calendar can answer. */
export const ICS_ANSWERS = {
  200: Type.String({ description: 'A calendar (RFC 5545)' }),
  304: nothing('Not changed since'),
};

/**
 * A calendar with the digest of its text as ETag. Only that decides about 304: an event that was taken away leaves no
 * later date behind, so one who asks by date gets the calendar.
 */
export function icsAnswer(
  headers: IncomingHttpHeaders,
  text: string,
  { fileName, changed, cacheControl }: { fileName: string; changed: Date | null; cacheControl: string },
): Answer {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  const caching = {
    etag,
    'cache-control': cacheControl,
    ...(changed ? { 'last-modified': changed.toUTCString() } : {}),
  };
  const known = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (known?.some((tag) => tag === etag || tag === '*')) return { status: 304, headers: caching };
  return {
    status: 200,
    body: text,
    headers: {
      ...caching,
      'content-type': `${ICS_TYPE}; charset=utf-8`,
      'content-disposition': `attachment; filename="${fileName}"`,
    },
  };
}

/** When the youngest of them last changed. */
export const lastChange = (events: readonly { updated_at: Date }[]): Date | null =>
  events.reduce<Date | null>((last, { updated_at }) => (last && last > updated_at ? last : updated_at), null);
