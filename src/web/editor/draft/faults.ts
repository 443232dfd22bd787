import validate from '../../../../dist/validate-event.js';
import { faultText } from '../../api/problem.ts';
import type { Problem } from '../../api/types.ts';
import { t, word } from '../../texts/texts.ts';
import { labelOf } from './draft.ts';

/** Validation errors, by form field. */
export type Faults = Record<string, string>;

/** Form field of a JSON pointer: `/location/virtualLink` is `virtualLink`, `/tags/2` is `tags`, `/is_free` is `cost`. */
function fieldOf(pointer: string): string {
  const parts = pointer.replace(/^\/(query\/)?/, '').split('/');
  if (parts[0] === 'location') return parts[1] ?? 'location_name';
  if (parts[0] === 'tags' || parts[0] === 'categories' || parts[0] === 'reminders') return parts[0];
  if (parts[0] === 'registration_questions') return parts.slice(0, 3).join('.');
  if (parts[0] === 'restricted_to') return 'restricted_to';
  if (parts[0] === 'is_free') return 'cost';
  if (parts[0] === 'is_recurring') return 'recurrence_pattern';
  return parts.join('.');
}

/** The first error of each form field. */
const faultsByField = (errors: readonly { pointer: string; rule: string; limit?: number }[]): Faults =>
  Object.fromEntries(
    errors.toReversed().map(({ pointer, rule, limit }) => {
      const field = fieldOf(pointer);
      const text = faultText(field, rule);
      return [field, limit === undefined ? text : word('limit', rule, text, { limit })];
    }),
  );

/** The errors of a refusal, by form field. */
export function faultsOf({ errors = [], code, ...more }: Partial<Problem>): Faults {
  const { current_attendees = 0 } = more as { current_attendees?: number };
  if (code === 'capacity_below_occupied') return { max_attendees: t('fault.taken', { count: current_attendees }) };
  if (code === 'slots_in_use') return { slots: word('problem', code) };
  return faultsByField(errors);
}

/** The error of a field as a line of its own, which names the field. */
export const namedFault = (field: string, text: string): string =>
  word('needed', field, '') === text ? text : `${t(labelOf(field))}: ${text}`;

/** Checks the fields of the form against the API's schema, without a request. */
export function check(fields: Record<string, unknown>): Faults {
  if (validate(withoutBlanks(fields))) return {};
  const errors = (validate.errors ?? []).map(({ instancePath, keyword, params }) => ({
    pointer: params.missingProperty ? `${instancePath}/${params.missingProperty}` : instancePath,
    rule: params.format ?? keyword,
    limit: params.limit,
  }));
  return faultsByField(errors);
}

/** The fields without those that are empty; the entries of lists stay. */
function withoutBlanks(fields: object): Record<string, unknown> {
  const isBlank = (value: unknown) => value === null || value === '';
  const filled = Object.entries(fields).filter(([, value]) => !isBlank(value));
  return Object.fromEntries(
    filled.map(([name, value]) => [
      name,
      typeof value === 'object' && !Array.isArray(value) ? withoutBlanks(value) : value,
    ]),
  );
}
