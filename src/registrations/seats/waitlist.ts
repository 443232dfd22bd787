import type { SchoolEvent } from '../../events/event.ts';
import type { FactType } from '../../outbox/fact.ts';

/** Facts after which many seats may be free, so that the waitlist worker has to promote. */
export const FREES_SEATS: readonly FactType[] = ['event.published', 'event.changed', 'event.edited', 'seats.freed'];

/** How many people on the waitlist can be promoted now: none before publication or after the start (decisions.md). */
export function seatsToGive(event: SchoolEvent, now: Date): number {
  if (event.status !== 'published' || now >= event.starts_at) return 0;
  const free = event.max_attendees === null ? event.waitlisted : event.max_attendees - event.current_attendees;
  return Math.max(0, Math.min(free, event.waitlisted));
}

export type SeatPreview = {
  capacity: number | null;
  taken: number;
  waiting: number;
  /** how many people on the waitlist would be promoted */
  would_move_up: number;
  would_still_wait: number;
  free_after: number | null;
  /** why the capacity is refused, or why no one would be promoted yet */
  note: 'capacity_below_occupied' | 'event_not_published' | 'event_started' | null;
};

/** Previews the effect of another capacity; null: unlimited. */
export function previewSeats(event: SchoolEvent, capacity: number | null, now: Date): SeatPreview {
  const { current_attendees: taken, waitlisted: waiting } = event;
  const would_move_up = seatsToGive({ ...event, max_attendees: capacity }, now);
  const below = capacity !== null && capacity < taken;
  const note = below
    ? 'capacity_below_occupied'
    : event.status !== 'published'
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
