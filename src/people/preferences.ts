import type { Scope } from './caller.ts';
import type { Locale } from './contact.ts';
import type { QuietHours } from './quiet-hours.ts';

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
