import type { Clock } from '../core/clock.ts';
import { invalid } from '../core/errors.ts';
import { type Caller, scopeOf } from './caller.ts';
import { mustBeAllowed } from './permissions.ts';
import type { SchoolStore } from './ports.ts';
import { breakFaults, hoursFaults } from './quiet-hours.ts';
import type { School } from './school.ts';

export type SchoolFields = Omit<School, 'tenant_id' | 'school_id' | 'updated_at'>;

/**
 * Stores the settings of the caller's school, replaces earlier ones. Idempotent.
 * @throws Refused `forbidden`, `validation_failed` if a break ends before it begins or quiet hours have no length
 */
export async function putSchool(
  deps: { schools: Pick<SchoolStore, 'put'>; clock: Clock },
  caller: Caller,
  fields: SchoolFields,
): Promise<School> {
  mustBeAllowed(caller, 'manage_settings');
  const faults = [...hoursFaults(fields.quiet_hours), ...breakFaults(fields.term_calendar ?? [])];
  if (faults.length > 0) throw invalid(faults);
  const school: School = { ...fields, ...scopeOf(caller), updated_at: deps.clock.now() };
  await deps.schools.put(school);
  return school;
}
