import { fault, invalid } from '../../core/errors.ts';
import { instant, optional } from '../schemas/fields.ts';

/** The time span of a bulk action, from `from` (inclusive) to `to` (exclusive). */
export const SPAN = {
  from: optional(instant),
  to: optional({ ...instant, description: 'The end of the time span, exclusive.' }),
};

/**
 * Reads the filter of a bulk action. It must have one of the fields in `narrowing`, so that an empty body does not apply to
 * everything. @throws Refused `validation_failed`
 */
export function bulkFilter<T extends { from?: string; to?: string }>(
  { from, to, ...rest }: T,
  narrowing: readonly [keyof T & string, ...(keyof T & string)[]],
) {
  const given: object = { from, to, ...rest };
  if (narrowing.every((name) => given[name as keyof typeof given] === undefined)) {
    const [first, ...others] = narrowing;
    throw invalid([fault(`/${first}`, `is required unless you send one of ${others.join(', ')}`, 'required')]);
  }
  const span = { ...(from ? { from: new Date(from) } : {}), ...(to ? { to: new Date(to) } : {}) };
  if (span.from && span.to && span.from >= span.to)
    throw invalid([fault('/to', 'must be later than from', 'after_from')]);
  return { ...rest, ...span };
}
