import type { Actor } from '../../../people/caller.ts';
import { type Change, type LeftOut, unchanged } from '../../apply-plan.ts';
import type { SchoolEvent } from '../../event.ts';
import type { RecurrenceRule } from '../../event-fields.ts';
import { isPossible } from '../lifecycle.ts';
import { moved } from '../transitions.ts';
import { dateOf, occurrenceDates } from './recurrence.ts';

/** The treatment of dates that the new rule does not have. */
export type Removal = {
  /** whether dates with registrations stay or are cancelled with notice */
  registered: 'keep' | 'cancel';
  reason: string;
  notify: boolean | null;
};

/** The first date of a series, from which its rule counts. */
export const firstDateOf = (series: readonly SchoolEvent[]): string => series.map(dateOf).sort()[0] ?? '';

/**
 * A series under another rule (decisions.md, "recurrence"): the dates to add, and the changes of occurrences whose date the
 * rule no longer has. Drafts are deleted, other occurrences are cancelled. Occurrences that have begun stay, and a rule with
 * the same pattern only adds dates after the last, so that deleted dates do not come back.
 */
export function reshaped(
  series: readonly SchoolEvent[],
  rule: RecurrenceRule,
  removal: Removal,
  { actor, now }: { actor: Actor; now: Date },
): { dates: string[]; removed: Change[] } {
  const wanted = occurrenceDates({ ...rule, start_date: firstDateOf(series) });
  const known = series.map(dateOf);
  const isSamePattern = series.every(({ recurrence_pattern }) => recurrence_pattern === rule.recurrence_pattern);
  const last = [...known].sort().at(-1) ?? '';
  const dates = wanted.filter((date) => (isSamePattern ? date > last : !known.includes(date)));
  const surplus = series.filter((one) => !wanted.includes(dateOf(one)) && one.status !== 'cancelled');
  return { dates, removed: surplus.map((one) => removedFrom(one, removal, actor, now)) };
}

function removedFrom(event: SchoolEvent, { registered, reason, notify }: Removal, actor: Actor, now: Date): Change {
  const stays = (code: LeftOut['code'], detail: string) => unchanged(event, { fields: [], code, detail });
  const isDraft = event.status === 'draft';
  if (!isPossible(event.status, 'cancel') || (!isDraft && event.starts_at <= now))
    return stays('begun', 'This date has begun or is over, so it stays.');
  const people = event.current_attendees + event.waitlisted;
  if (people > 0 && registered === 'keep')
    return stays('has_registrations', `People registered: ${people}. Send registered_dates=cancel to cancel the date.`);
  const isUnseen = isDraft && people === 0;
  const input = { reason, notify: notify ?? undefined };
  return moved(event, isUnseen ? { action: 'delete' } : { action: 'cancel', input }, actor, now) as Change;
}
