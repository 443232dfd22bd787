import type { FieldFault } from '../../core/errors.ts';
import type { Caller } from '../../people/caller.ts';
import type { School } from '../../people/school.ts';
import type { NewEvent } from '../event-fields.ts';
import { withDefaults } from './defaults.ts';
import { faultsOf, senseFaults } from './validation.ts';

const START = ['start_date', 'start_time', 'all_day', 'timezone', 'event_type'];

/** The other fields that the rules of a field depend on, or one of its rules: `field rule`. */
const DEPENDS_ON: Readonly<Record<string, readonly string[]>> = {
  end_date: ['start_date'],
  end_time: [...START, 'end_date'],
  max_attendees: ['registration_type'],
  registration_deadline: ['registration_type'],
  'registration_deadline not_after_start': START,
  slots: [...START, 'end_date', 'end_time', 'registration_type'],
  waitlist_enabled: ['slots'],
  asks_acknowledgement: ['acknowledgement_reminder'],
  cost: ['registration_type'],
  currency: ['registration_type'],
  is_free: ['cost'],
  is_recurring: ['recurrence_pattern'],
  recurrence_end_date: ['start_date', 'end_date', 'is_recurring', 'recurrence_pattern', 'recurrence_count'],
};

/** The faults whose rules do not depend on faulty fields. */
export const independentFaults = (found: readonly FieldFault[], faulty: ReadonlySet<string>): FieldFault[] =>
  found.filter(({ pointer, rule }) => {
    const [, field = ''] = pointer.split('/');
    const others = DEPENDS_ON[`${field} ${rule}`] ?? DEPENDS_ON[field] ?? [];
    return ![field, ...others].some((name) => faulty.has(name));
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
  const fields = withDefaults(input, school, caller);
  return independentFaults([...faultsOf(fields), ...senseFaults(fields)], new Set([...faulty, ...dummies]));
}
