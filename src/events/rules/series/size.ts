import type { FieldFault } from '../../../core/errors.ts';
import { pick } from '../../../core/objects.ts';
import type { EventFields } from '../../event-fields.ts';
import { FIELD_NAMES } from '../../event-fields.ts';

/** The most bytes an event may have: the fields that people write, as JSON in UTF-8. */
export const EVENT_BYTES = 64 * 1024;

/** The most bytes that all occurrences of a series may have together. */
export const SERIES_BYTES = 4 * 1024 * 1024;

/** The bytes of the fields that people write; fields that only the program writes are not counted. */
export const bytesOf = (event: EventFields): number => bytesAsJson(pick(event, FIELD_NAMES));

export const bytesOfAll = (events: readonly EventFields[]): number =>
  events.reduce((sum, event) => sum + bytesOf(event), 0);

/** @param before the event as it was: one that is already too large may stay as large, so that it can be made smaller */
export function sizeFaults(event: EventFields, before: EventFields | null): FieldFault[] {
  const bytes = bytesOf(event);
  if (bytes <= EVENT_BYTES || (before && bytes <= bytesOf(before))) return [];
  return largestFields(event, bytes - EVENT_BYTES).map(({ name, bytes: own }) => ({
    pointer: `/${name}`,
    message: `has ${own} of the ${bytes} bytes of the event; an event may have at most ${EVENT_BYTES} bytes (64 KB) as JSON`,
    rule: 'max_event_size',
  }));
}

/**
 * @param event the occurrence that was written
 * @param bytes of all `count` occurrences of its series, this one included
 */
export function seriesSizeFaults(event: EventFields, bytes: number, count: number): FieldFault[] {
  if (bytes <= SERIES_BYTES) return [];
  return largestFields(event, (bytes - SERIES_BYTES) / count).map(({ name, bytes: own }) => ({
    pointer: `/${name}`,
    message:
      `has ${own} bytes in this one of ${count} occurrences, which have ${bytes} bytes together; ` +
      `a series may have at most ${SERIES_BYTES} bytes (4 MB) as JSON`,
    rule: 'max_series_size',
  }));
}

/** The largest fields, as many as have the excess bytes together. */
function largestFields(event: EventFields, excess: number): { name: string; bytes: number }[] {
  const fields = FIELD_NAMES.map((name) => ({ name, bytes: bytesAsJson(event[name]) }));
  fields.sort((a, b) => b.bytes - a.bytes);
  let bytes = 0;
  return fields.filter((field) => {
    const isNeeded = bytes < excess;
    bytes += field.bytes;
    return isNeeded;
  });
}

const bytesAsJson = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
