import { invalidField } from '../../core/errors.ts';
import { instant, optional } from '../schemas/fields.ts';

/** The time span of a bulk action, from `from` (inclusive) to `to` (exclusive). */
export const SPAN = {
  from: optional(instant),
  to: optional({ ...instant, description: 'The end of the time span, exclusive.' }),
};

/**
 * Checks the filter of a bulk action. It must have one of the fields in `narrowing`, so that an empty body does not apply to
 * everything. @throws Refused `validation_failed`
 */
export function bulkFilter<T extends { from?: Date; to?: Date }>(
  filter: T,
  narrowing: readonly [keyof T & string, ...(keyof T & string)[]],
): T {
  if (narrowing.every((name) => filter[name] === undefined)) {
    const [first, ...others] = narrowing;
    throw invalidField(`/${first}`, `is required unless you send one of ${others.join(', ')}`, 'required');
  }
  const { from, to } = filter;
  if (from && to && from >= to) throw invalidField('/to', 'must be later than from', 'after_from');
  return filter;
}
