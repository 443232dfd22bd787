import type { SchoolEvent } from '../../events/event.ts';
import { instantsOf } from '../../events/rules/schedule.ts';
import type { Fact } from '../../outbox/fact.ts';
import { type Channel, descriptorOf } from '../../people/channels.ts';
import type { Contact } from '../../people/contact.ts';
import { type PreferencesByPerson, type Quiet, quietAround, quietOf } from '../../people/preferences.ts';
import type { School } from '../../people/school.ts';
import type { DeferralCause } from '../delivery.ts';
import { ruleOf, type Trigger } from './trigger-table.ts';

/** A change of an event that starts within this time is not deferred. */
const URGENT_MS = 24 * 3_600_000;
/** A deferred message must arrive at least this long before it becomes useless. */
const MARGIN_MS = 30 * 60_000;

type Deferrable = { fact: Fact; trigger: Trigger; event: SchoolEvent; channel: Channel; expires_at: Date | null };

/** Until when a message is deferred, and what defers it. */
export type Deferral = { until: Date; cause: DeferralCause };

/**
 * The end of the reader's quiet hours or holidays if the message is deferred to it; null if the message is sent immediately
 * because it is in-app, urgent, outside of quiet hours, or would be useless by then.
 *
 * The rule of the trigger says whether quiet hours and days without school defer it. Days without school never defer a
 * reminder, which belongs to the day before its event.
 */
export function deferUntil(
  { fact, trigger, event, channel, expires_at }: Deferrable,
  quiet: Quiet,
  now: Date,
): Deferral | null {
  const { deferral, waitsForSchoolDays } = ruleOf(trigger);
  if (!descriptorOf(channel).wakes || !deferral) return null;
  if (deferral === 'at night, a day ahead' && isWithinADay(fact, event, now)) return null;
  if (deferral === 'at night, all-day' && !event.all_day) return null;
  const around = quietAround(now, waitsForSchoolDays ? quiet : { ...quiet, breaks: [] });
  if (!around) return null;
  const deadline = fact.type === 'event.published' ? event.registration_deadline : null;
  // Ends that have passed do not count: messages about past events stay useful.
  const ends = [event.starts_at, deadline, expires_at].filter((end) => end && end > now);
  if (ends.some((end) => around.until.getTime() + MARGIN_MS > Number(end))) return null;
  return { until: around.until, cause: around.isBreak ? 'term_calendar' : 'quiet_hours' };
}

/** The quiet hours of these people; without any, as for an unverified address without an owner, those of the school. */
export function quietsOf(
  people: readonly Pick<Contact, 'user_id' | 'timezone'>[],
  preferences: PreferencesByPerson,
  school: School,
): Quiet[] {
  if (people.length === 0) return [quietOf(school, null, school.timezone)];
  return people.map(({ user_id, timezone }) =>
    quietOf(school, preferences.get(user_id)?.quiet_hours, timezone ?? school.timezone),
  );
}

/** The longest deferral, so that the message disturbs none of its readers. */
export function deferralOf(message: Deferrable, quiets: readonly Quiet[], at: Date): Deferral | null {
  const deferrals = quiets.flatMap((quiet) => deferUntil(message, quiet, at) ?? []);
  return deferrals.sort((a, b) => b.until.getTime() - a.until.getTime())[0] ?? null;
}

/** Whether the event starts within a day, on its old date or the new one. */
function isWithinADay({ data }: Fact, { starts_at }: SchoolEvent, now: Date): boolean {
  const starts = 'previous' in data && data.previous ? [instantsOf(data.previous).starts_at, starts_at] : [starts_at];
  return starts.some((start) => start.getTime() - now.getTime() <= URGENT_MS);
}
