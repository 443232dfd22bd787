import type { SchoolEvent } from '../../events/event.ts';
import { instantsOf } from '../../events/rules/schedule.ts';
import type { Fact } from '../../outbox/fact.ts';
import { type Quiet, quietAround } from '../../people/quiet-hours.ts';
import type { Channel } from './trigger.ts';

/** A change of an event that begins so soon can't wait for the morning. */
const URGENT_MS = 24 * 3_600_000;
/** What is told in the morning must leave so much time before it becomes useless. */
const MARGIN_MS = 30 * 60_000;

/**
 * Until when a message waits, so that nobody is woken by what can wait: the end of the reader's quiet hours. Null: it
 * goes at once, since it is in-app, urgent, outside of the quiet hours, or useless in the morning.
 *
 * Announcements, reminders, messages of staff and changes of an event a day or more ahead can wait. A cancellation, a
 * change within a day, a confirmation and a start can't. Days without school hold announcements and messages only: a
 * reminder belongs to the day before its event, whatever day that is.
 */
export function holdUntil(
  { fact, event, channel }: { fact: Fact; event: SchoolEvent; channel: Channel },
  quiet: Quiet,
  now: Date,
): Date | null {
  if (channel === 'in_app' || !canWait(fact, event, now)) return null;
  const isOfTheTerm = fact.type === 'event.published' || fact.type === 'message.requested';
  const around = quietAround(now, isOfTheTerm ? quiet : { ...quiet, breaks: [] });
  if (!around) return null;
  return isUselessAt(around.until, fact, event, now) ? null : around.until;
}

function canWait(fact: Fact, event: SchoolEvent, now: Date): boolean {
  switch (fact.type) {
    case 'event.published':
    case 'reminder.due':
    case 'message.requested':
      return true;
    case 'event.postponed':
    case 'event.changed': {
      const soonest = Math.min(instantsOf(fact.data.previous).starts_at.getTime(), event.starts_at.getTime());
      return soonest - now.getTime() > URGENT_MS;
    }
    default:
      return false;
  }
}

/** An announcement is of use until people can't sign up or come any more; what speaks of the past can wait for ever. */
function isUselessAt(morning: Date, fact: Fact, event: SchoolEvent, now: Date): boolean {
  const { registration_deadline, starts_at } = event;
  const ends =
    fact.type === 'event.published' && registration_deadline ? [registration_deadline, starts_at] : [starts_at];
  return ends.some((end) => end > now && morning.getTime() + MARGIN_MS > end.getTime());
}
