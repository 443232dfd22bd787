import type { Clock } from '../core/clock.ts';
import { invalid } from '../core/errors.ts';
import { type Caller, scopeOf } from './caller.ts';
import type { PreferenceStore } from './ports.ts';
import type { Preferences } from './preferences.ts';
import { hoursFaults } from './quiet-hours.ts';

export type Wishes = Omit<Preferences, 'tenant_id' | 'school_id' | 'user_id' | 'updated_at'>;

/** Stores the caller's notification settings, replaces earlier ones. Idempotent. @throws Refused `validation_failed` */
export async function putPreferences(
  deps: { preferences: Pick<PreferenceStore, 'put'>; clock: Clock },
  caller: Caller,
  wishes: Wishes,
): Promise<Preferences> {
  const faults = hoursFaults(wishes.quiet_hours);
  if (faults.length > 0) throw invalid(faults);
  const { user_id } = caller;
  const preferences: Preferences = { ...wishes, ...scopeOf(caller), user_id, updated_at: deps.clock.now() };
  await deps.preferences.put(preferences);
  return preferences;
}
