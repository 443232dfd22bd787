import type { Problem } from '../api/types.ts';
import { type TextId, t, word } from '../texts/texts.ts';

/** Validation errors of the server, by form field. */
export type Faults = Record<string, string>;

/** Translations of common errors; others appear as the server wrote them. */
const KNOWN: readonly [RegExp, TextId][] = [
  [/^is needed|^is required|^must not be empty|above 0/, 'fault.needed'],
  [/not be before start_date/, 'fault.beforeStart'],
  [/after the start/, 'fault.afterStart'],
  [/uri|https?:/i, 'fault.link'],
  [/currency/i, 'fault.currency'],
  [/at most \d+ occurrences/, 'fault.tooMany'],
  [/longer than 366 days/, 'fault.tooLong'],
  [/bytes \(64 KB\)/, 'fault.tooLarge'],
  [/bytes \(4 MB\)/, 'fault.seriesTooLarge'],
  [/from 1970 to 2100|after 2100/, 'fault.date'],
  [/once the series exists/, 'fault.seriesFixed'],
];

function faultText(field: string, message: string): string {
  const id = KNOWN.find(([pattern]) => pattern.test(message))?.[1];
  if (id === 'fault.needed') return word('needed', field, t(id));
  return id ? t(id) : message;
}

/** Form field of a JSON pointer: `/location/virtualLink` is `virtualLink`, `/tags/2` is `tags`, `/is_free` is `cost`. */
function fieldOf(pointer: string): string {
  const parts = pointer.replace(/^\/(query\/)?/, '').split('/');
  if (parts[0] === 'location') return parts[1] ?? 'location_name';
  if (parts[0] === 'tags' || parts[0] === 'categories' || parts[0] === 'reminders') return parts[0];
  if (parts[0] === 'restricted_to') return 'restricted_to';
  if (parts[0] === 'is_free') return 'cost';
  if (parts[0] === 'is_recurring') return 'recurrence_pattern';
  return parts.join('.');
}

/** The errors of a 422 response, by form field. */
export function faultsOf({ errors = [], code, ...more }: Partial<Problem>): Faults {
  const { current_attendees = 0 } = more as { current_attendees?: number };
  if (code === 'capacity_below_occupied') return { max_attendees: t('fault.taken', { count: current_attendees }) };
  return Object.fromEntries(
    errors.map(({ pointer, message }) => {
      const field = fieldOf(pointer);
      return [field, faultText(field, message)];
    }),
  );
}
