import type { Refusal } from '../../core/errors.ts';
import { wallTimeInWords } from '../../core/zoned-time.ts';
import { availableSpots, type SchoolEvent } from '../../events/event.ts';
import type { ACTIVE_STATUSES } from '../../events/find-confirmed.ts';

type Refused = Refusal & { detail: string };
export type Admission = { status: (typeof ACTIVE_STATUSES)[number] };

/** Window and limit for registrations of one person for one event: each one sends a message. */
export const REPEATED_WITHIN_MS = 86_400_000;
const MAX_REPEATED = 5;

/**
 * Rate-limits repeated registrations of one person for one event.
 * @param registeredAt when this person registered, in any order
 * @returns a refusal, or null if the person may register
 */
export function refuseRepeated(registeredAt: readonly Date[], now: Date): Refusal | null {
  const times = registeredAt.map((at) => at.getTime()).filter((at) => at > now.getTime() - REPEATED_WITHIN_MS);
  const limiting = times.sort((a, b) => b - a)[MAX_REPEATED - 1];
  if (limiting === undefined) return null;
  return {
    code: 'rate_limited',
    detail: `A person can register for the same event at most ${MAX_REPEATED} times in 24 hours. Try again later.`,
    retryAfter: (limiting + REPEATED_WITHIN_MS - now.getTime()) / 1000,
  };
}

/** Whether the registration deadline of an event had passed at an instant. The instant of the deadline is still in time. */
export const isAfterDeadline = (
  { registration_deadline: deadline }: Pick<SchoolEvent, 'registration_deadline'>,
  at: Date,
) => deadline !== null && at > deadline;

/** The stored fields that decide whether a registration is taken, and that a refusal names. */
export const ADMITTING = [
  'registration_type',
  'is_active',
  'status',
  'requires_approval',
  'registration_deadline',
  'timezone',
  'max_attendees',
  'current_attendees',
  'waitlisted',
  'waitlist_enabled',
] as const satisfies (keyof SchoolEvent)[];

/**
 * Decides whether a new registration gets a seat, a place on the waitlist or a refusal. While people wait, free seats
 * are theirs and a new registration joins the end of the waitlist.
 * @param mayWait false: refuse instead of adding to the waitlist
 * @param override staff pass deadline and capacity
 * @param seats how many people must get a seat at once
 */
export function admit(
  event: Pick<SchoolEvent, (typeof ADMITTING)[number]>,
  now: Date,
  { mayWait = true, override = false, seats = 1 } = {},
): Admission | Refused {
  if (!event.is_active)
    return { code: 'event_not_published', detail: 'The event is hidden, so it takes no registrations now.' };
  if (event.status !== 'published') {
    return {
      code: 'event_not_published',
      detail: `The event is ${event.status.replace('_', ' ')}, so it takes no registrations now.`,
      extra: { current_status: event.status },
    };
  }
  if (event.registration_type === 'none') {
    return { code: 'registration_not_available', detail: 'This event needs no registration. Just come.' };
  }
  const admitted = { status: event.requires_approval ? 'pending' : 'confirmed' } as const;
  if (override) return admitted;
  const { registration_deadline: deadline, waitlist_enabled } = event;
  if (deadline && isAfterDeadline(event, now)) {
    return {
      code: 'registration_closed',
      detail: `Registration closed on ${wallTimeInWords(deadline, event.timezone)}. Ask the organizer.`,
    };
  }
  const free = event.waitlisted > 0 ? 0 : (availableSpots(event) ?? seats);
  if (free >= seats) return admitted;
  // With some seats free, the waitlist would give them to a part of those who must get seats at once.
  if (free === 0 && waitlist_enabled && mayWait) return { status: 'waitlisted' };
  const detail =
    free > 0 ? `${free === 1 ? '1 place is' : `${free} places are`} free, not ${seats}.` : 'All places are taken.';
  return { code: 'event_full', detail, extra: { waitlist_enabled, available_spots: free } };
}

/** Whether people are promoted now: not in a hidden event, of which they would not be notified. */
export const mayPromote = ({ status, is_active, starts_at }: SchoolEvent, now: Date): boolean =>
  status === 'published' && is_active && now < starts_at;

/** How many people on the waitlist can be promoted now. */
export function seatsToGive(event: SchoolEvent, now: Date): number {
  if (!mayPromote(event, now)) return 0;
  const free = event.max_attendees === null ? event.waitlisted : event.max_attendees - event.current_attendees;
  return Math.max(0, Math.min(free, event.waitlisted));
}

/**
 * Previews the effect of another capacity; null: unlimited. `would_move_up`: how many people on the waitlist would be promoted;
 * `note`: why the capacity is refused, or why no one would be promoted yet.
 */
export function previewSeats(event: SchoolEvent, capacity: number | null, now: Date) {
  const { current_attendees: taken, waitlisted: waiting } = event;
  const would_move_up = seatsToGive({ ...event, max_attendees: capacity }, now);
  const below = capacity !== null && capacity < taken;
  const note = below
    ? 'capacity_below_occupied'
    : event.status !== 'published' || !event.is_active
      ? 'event_not_published'
      : now >= event.starts_at
        ? 'event_started'
        : null;
  return {
    capacity,
    taken,
    waiting,
    would_move_up,
    would_still_wait: waiting - would_move_up,
    free_after: capacity === null ? null : Math.max(0, capacity - taken - would_move_up),
    note,
  };
}
