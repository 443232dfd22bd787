import type { Problem } from '../api/types.ts';
import { type TextId, t } from '../texts/texts.ts';

/** What the server found wrong, by the field of the form it stands in. */
export type Faults = Record<string, string>;

/** Words of the server that a reader meets often; anything else is shown as it came. */
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

function faultWords(message: string): string {
  const known = KNOWN.find(([pattern]) => pattern.test(message));
  return known ? t(known[1]) : message;
}

/** `/location/virtualLink` stands in the field `virtualLink`, `/tags/2` in `tags`, `/is_free` with the cost. */
function fieldOf(pointer: string): string {
  const parts = pointer.replace(/^\/(query\/)?/, '').split('/');
  if (parts[0] === 'location') return parts[1] ?? 'location_name';
  if (parts[0] === 'tags' || parts[0] === 'categories' || parts[0] === 'reminders') return parts[0];
  if (parts[0] === 'restricted_to') return 'restricted_to';
  if (parts[0] === 'is_free') return 'cost';
  if (parts[0] === 'is_recurring') return 'recurrence_pattern';
  return parts.join('.');
}

/** A 422 on the fields of the form. */
export function faultsOf({ errors = [], code, ...more }: Partial<Problem>): Faults {
  const { current_attendees = 0 } = more as { current_attendees?: number };
  if (code === 'capacity_below_occupied') return { max_attendees: t('fault.taken', { count: current_attendees }) };
  return Object.fromEntries(errors.map(({ pointer, message }) => [fieldOf(pointer), faultWords(message)]));
}
