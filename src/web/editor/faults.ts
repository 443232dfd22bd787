import type { Problem } from '../api/types.ts';
import { t, word } from '../texts/texts.ts';

/** Validation errors of the server, by form field. */
export type Faults = Record<string, string>;

/** Translates a broken rule by its code; an empty line breaks `line`. */
function faultText(field: string, message: string, rule = ''): string {
  const text = word('fault', rule === 'line' ? 'required' : rule, message);
  return rule === 'line' || rule === 'required' ? word('needed', field, text) : text;
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
    errors.map(({ pointer, message, rule }) => {
      const field = fieldOf(pointer);
      return [field, faultText(field, message, rule)];
    }),
  );
}
