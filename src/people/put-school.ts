import type { Clock } from '../core/clock.ts';
import { invalid } from '../core/errors.ts';
import { type Caller, scopeOf } from './caller.ts';
import { mustBeAllowed } from './permissions.ts';
import type { SchoolStore } from './ports.ts';
import { breakFaults } from './quiet-hours.ts';
import type { School } from './school.ts';

export type SchoolFields = Omit<School, 'tenant_id' | 'school_id' | 'updated_at'>;

/**
 * Stores the settings of the caller's school, replaceWrites earlier ones. Idempotent.
 * @throws Refused `forbidden`, `validation_failed` if a break ends before it begins
 */
export async function putSchool(
  deps: { schools: Pick<SchoolStore, 'put'>; clock: Clock },
  caller: Caller,
  fields: SchoolFields,
): Promise<School> {
  mustBeAllowed(caller, 'manage_settings');
  const faults = breakFaults(fields.term_calendar ?? []);
  if (faults.length > 0) throw invalid(faults);
  const school: School = { ...fields, ...scopeOf(caller), updated_at: deps.clock.now() };
  await deps.schools.put(school);
  return school;
}
