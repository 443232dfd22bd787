import type { SchoolEvent } from '../../events/event.ts';
import type { Trigger } from './trigger.ts';

const START_NOTICE_MS = 15 * 60_000;

/**
 * When a message has become useless (decisions.md, "too late"): a reminder at the start, a start notice 15 minutes after
 * it, news of an event at its end. What tells of a cancellation or another date is worth telling for as long as it is tried.
 */
export function expiryOf(trigger: Trigger, event: SchoolEvent): Date | null {
  switch (trigger) {
    case 'reminder.due':
      return event.starts_at;
    case 'event.starting':
      return new Date(event.starts_at.getTime() + START_NOTICE_MS);
    case 'event.published':
    case 'registration.confirmed':
    case 'event.changed':
      return event.ends_at;
    case 'message':
    case 'event.cancelled':
    case 'event.postponed':
      return null;
  }
}
