import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { type CalendarHead, calendarFile, type ReadFileEvents } from '../../calendar/calendar-file.ts';
import { isKnownTag } from '../entity-tag.ts';
import type { ApiResponse } from '../route-definition.ts';
import { nothing } from '../schemas/fields.ts';

export const ICS_TYPE = 'text/calendar';

export const ICS_RESPONSES = {
  200: Type.String({ description: 'A calendar file (RFC 5545)' }),
  304: nothing('The calendar has not changed'),
};

type IcsOptions = CalendarHead & { fileName?: string; 'cache-control': string; vary?: string };

/**
 * Streams a calendar with the hash of its text as ETag. Reads the events once for the hash and again for the body, so
 * that it holds no file in memory. Only the ETag can lead to 304, because a deleted event does not change Last-Modified.
 */
export async function icsResponse(
  headers: IncomingHttpHeaders,
  read: ReadFileEvents,
  { name, eventPage, fileName = 'calendar.ics', ...more }: IcsOptions,
): Promise<ApiResponse> {
  let changed: Date | null = null;
  async function* trackLastChange() {
    for await (const events of read()) {
      for (const { updated_at } of events) if (changed === null || updated_at > changed) changed = updated_at;
      yield events;
    }
  }
  const head = { name, eventPage };
  const hash = createHash('sha256');
  for await (const text of calendarFile(trackLastChange(), head)) hash.update(text);
  const etag = `"${hash.digest('base64url').slice(0, 27)}"`;
  const caching = {
    etag,
    ...more,
    ...(changed ? { 'last-modified': (changed as Date).toUTCString() } : {}),
  };
  if (isKnownTag(headers, etag)) return { status: 304, headers: caching };
  return {
    status: 200,
    body: Readable.from(calendarFile(read(), head), { objectMode: false }),
    headers: {
      ...caching,
      'content-type': `${ICS_TYPE}; charset=utf-8`,
      'content-disposition': `attachment; filename="${fileName}"`,
    },
  };
}
