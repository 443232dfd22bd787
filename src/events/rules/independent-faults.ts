import type { FieldFault } from '../../core/errors.ts';
import type { Caller } from '../../people/caller.ts';
import type { School } from '../../people/school.ts';
import type { NewEvent } from '../event-fields.ts';
import { withDefaults } from './defaults.ts';
import { faultsOf } from './validation.ts';

/** The other fields that the rule of a field depends on. */
const DEPENDS_ON: Readonly<Record<string, readonly string[]>> = {
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

/** The faults whose rules do not depend on faulty fields. */
export const independentFaults = (found: readonly FieldFault[], faulty: ReadonlySet<string>): FieldFault[] =>
  found.filter(({ pointer }) => {
    const [, field = ''] = pointer.split('/');
    return ![field, ...(DEPENDS_ON[field] ?? [])].some((name) => faulty.has(name));
  });

/**
 * Checks the rules between fields although some fields are missing or faulty, so that an answer lists all faults. Fills in
 * dummy values for those fields and drops the faults of rules that depend on them.
 */
export function independentDraftFaults(
  usable: Partial<NewEvent>,
  faulty: ReadonlySet<string>,
  school: Pick<School, 'timezone'>,
  caller: Caller,
): FieldFault[] {
  const day = usable.start_date ?? usable.end_date ?? '2000-01-01';
  const input: NewEvent = { title: 'x', event_type: 'other', start_date: day, end_date: day, ...usable };
  const dummies = Object.keys(input).filter((name) => !(name in usable));
  return independentFaults(faultsOf(withDefaults(input, school, caller)), new Set([...faulty, ...dummies]));
}
