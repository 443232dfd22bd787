import type { Clock } from '../core/clock.ts';
import { invalid } from '../core/errors.ts';
import { type Caller, type Scope, scopeOf } from './caller.ts';
import type { Locale } from './contact.ts';
import type { PreferenceStore } from './ports.ts';
import { hoursFaults, type QuietHours } from './quiet-hours.ts';

/** A person's notification settings. */
export type Preferences = Scope & {
  user_id: string;
  locale: Locale | null;
  /** pairs `trigger:channel`, `*` for any of either, e.g. `event.published:email`, `*:sms` */
  opted_out: string[];
  /** overrides the school's; `off`: none; missing or null: the school's */
  quiet_hours?: QuietHours | 'off' | null;
  updated_at: Date;
};

/** Whether one of the opt-outs covers this trigger on this channel. */
export const hasOptedOut = (opted_out: readonly string[], trigger: string, channel: string): boolean =>
  opted_out.some((wish) => {
    const [wishedTrigger, wishedChannel] = wish.split(':');
    return (wishedTrigger === '*' || wishedTrigger === trigger) && (wishedChannel === '*' || wishedChannel === channel);
  });

type Wishes = Omit<Preferences, 'tenant_id' | 'school_id' | 'user_id' | 'updated_at'>;

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
