import { invalidField } from '../core/errors.ts';

/**
 * Checks that a span does not end before it begins. One whose end is exclusive must not be empty either.
 * @param pointer of its end
 * @throws Refused `validation_failed`
 */
export function checkSpan<T extends string | Date>(
  { from, to }: { from?: T | undefined; to?: T | undefined },
  pointer: string,
  { start = 'from', isExclusive = false } = {},
): void {
  if (from === undefined || to === undefined || from < to) return;
  if (isExclusive) throw invalidField(pointer, `must be later than ${start}`, 'after_from');
  if (from > to) throw invalidField(pointer, `must not be before ${start}`, 'not_before_from');
}
