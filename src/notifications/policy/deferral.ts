import type { SchoolEvent } from '../../events/event.ts';
import { instantsOf } from '../../events/rules/schedule.ts';
import type { Fact } from '../../outbox/fact.ts';
import { descriptorOf } from '../../people/channels.ts';
import { type Quiet, quietAround } from '../../people/quiet-hours.ts';
import type { Channel } from './trigger.ts';

/** A change of an event that starts within this time is not deferred. */
const URGENT_MS = 24 * 3_600_000;
/** A deferred message must arrive at least this long before it becomes useless. */
const MARGIN_MS = 30 * 60_000;

/**
 * The end of the reader's quiet hours if the message is deferred to it; null if the message is sent at once because it is
 * in-app, urgent, outside of quiet hours, or would be useless by then.
 *
 * Announcements, reminders, bulk messages and changes of events more than a day ahead are deferred; cancellations, changes
 * within a day, confirmations and start notices are not. Days without school defer announcements and bulk messages only: a
 * reminder belongs to the day before its event, whatever day that is.
 */
export function deferUntil(
  { fact, event, channel }: { fact: Fact; event: SchoolEvent; channel: Channel },
  quiet: Quiet,
  now: Date,
): Date | null {
  if (!descriptorOf(channel).wakes || !isDeferrable(fact, event, now)) return null;
  const isOfTheTerm = fact.type === 'event.published' || fact.type === 'message.requested';
  const around = quietAround(now, isOfTheTerm ? quiet : { ...quiet, breaks: [] });
  if (!around) return null;
  return isUselessAt(around.until, fact, event, now) ? null : around.until;
}

function isDeferrable(fact: Fact, event: SchoolEvent, now: Date): boolean {
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

/** An announcement becomes useless when registration closes or the event starts; messages about past events never do. */
function isUselessAt(morning: Date, fact: Fact, event: SchoolEvent, now: Date): boolean {
  const { registration_deadline, starts_at } = event;
  const ends =
    fact.type === 'event.published' && registration_deadline ? [registration_deadline, starts_at] : [starts_at];
  return ends.some((end) => end > now && morning.getTime() + MARGIN_MS > end.getTime());
}
