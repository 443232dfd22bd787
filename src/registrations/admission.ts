import type { Refusal } from '../core/errors.ts';
import type { SchoolEvent } from '../events/event.ts';

export const ADMITTED = ['confirmed', 'pending', 'waitlisted'] as const;
export type Admission = { status: (typeof ADMITTED)[number] };

/** How often one person may register for one event within this time; each registration sends a message. */
export const REPEATED_WITHIN_MS = 86_400_000;
const REPEATED = 5;

/** @param made when this person registered for this event, in any order @returns a refusal, or null if they may again */
export function refuseRepeated(made: readonly Date[], now: Date): Refusal | null {
  const times = made.map((at) => at.getTime()).filter((at) => at > now.getTime() - REPEATED_WITHIN_MS);
  const counting = times.sort((a, b) => b - a)[REPEATED - 1];
  if (counting === undefined) return null;
  return {
    code: 'rate_limited',
    detail: `A person can register for the same event at most ${REPEATED} times in 24 hours. Try again later.`,
    retryAfter: (counting + REPEATED_WITHIN_MS - now.getTime()) / 1000,
  };
}

/**
 * Whether somebody gets a seat, a place on the waitlist or a no (§2.8 r.1–4, §7 r.2). A seat that is free while others
 * wait is theirs: the newcomer joins the end of the waitlist, unless `waits` is false.
 */
export function admit(event: SchoolEvent, now: Date, waits = true): Admission | Refusal {
  if (event.registration_type === 'none') {
    return { code: 'registration_not_available', detail: 'This event needs no registration. Just come.' };
  }
  if (event.status !== 'published') {
    return {
      code: 'event_not_published',
      detail: `The event is ${event.status.replace('_', ' ')}, so it takes no registrations now.`,
      extra: { current_status: event.status },
    };
  }
  // The deadline instant itself is still in time.
  if (event.registration_deadline !== null && now > event.registration_deadline) {
    return {
      code: 'registration_closed',
      detail: `Registration closed on ${event.registration_deadline.toISOString()}. Ask the organizer.`,
    };
  }
  const free = event.max_attendees === null || event.current_attendees < event.max_attendees;
  if (free && event.waitlisted === 0) return { status: event.requires_approval ? 'pending' : 'confirmed' };
  const { waitlist_enabled } = event;
  if (waitlist_enabled && waits) return { status: 'waitlisted' };
  const detail = `All ${event.max_attendees ?? 0} places are taken.`;
  return { code: 'event_full', detail, extra: { waitlist_enabled } };
}
