import type { FieldFault } from '../core/errors.ts';
import type { Caller } from '../people/caller.ts';
import type { School } from '../people/school.ts';
import { type NewEvent, withDefaults } from './rules/defaults.ts';
import { faultsOf } from './rules/validation.ts';

/** What a rule about a field looks at besides it. */
const LOOKS_AT: Readonly<Record<string, readonly string[]>> = {
  end_date: ['start_date'],
  end_time: ['start_date', 'end_date', 'start_time', 'all_day', 'timezone', 'event_type'],
  max_attendees: ['registration_type'],
  registration_deadline: ['registration_type'],
  cost: ['registration_type'],
  currency: ['registration_type'],
  is_free: ['cost'],
  is_recurring: ['recurrence_pattern'],
  recurrence_end_date: ['start_date', 'end_date', 'is_recurring', 'recurrence_pattern', 'recurrence_count'],
};

/** Of faults found while some fields were left out as faulty: those that have nothing to do with these. */
export const faultsBeside = (found: readonly FieldFault[], faulty: ReadonlySet<string>): FieldFault[] =>
  found.filter(({ pointer }) => {
    const [, field = ''] = pointer.split('/');
    return ![field, ...(LOOKS_AT[field] ?? [])].some((name) => faulty.has(name));
  });

/**
 * What the rules of creation say of the fields that are right by themselves, so that all faults are told at once.
 * Whatever must be given and isn't there, or is faulty, is made up: rules that look at it are left out.
 */
export function draftFaultsBeside(
  usable: Partial<NewEvent>,
  faulty: ReadonlySet<string>,
  school: Pick<School, 'timezone'>,
  caller: Caller,
): FieldFault[] {
  const day = usable.start_date ?? usable.end_date ?? '2000-01-01';
  const input: NewEvent = { title: 'x', event_type: 'other', start_date: day, end_date: day, ...usable };
  const made = Object.keys(input).filter((name) => !(name in usable));
  return faultsBeside(faultsOf(withDefaults(input, school, caller)), new Set([...faulty, ...made]));
}
