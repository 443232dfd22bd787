import { invalidField } from '../core/errors.ts';

/**
 * Checks that a span does not end before it begins.
 * @param pointer of its end
 * @throws Refused `validation_failed`
 */
export function checkSpan({ from, to }: { from?: string; to?: string }, pointer: string, start = 'from'): void {
  if (from !== undefined && to !== undefined && from > to)
    throw invalidField(pointer, `must not be before ${start}`, 'not_before_from');
}
