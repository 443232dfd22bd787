import type { SchoolEvent } from '../events/event.ts';
import type { NewFact } from '../facts/fact.ts';
import { type Actor, scopeOf } from '../people/caller.ts';
import type { Registration } from './registration.ts';

/** How many of those who wait can be given a seat now: none before publication or after the start (decisions.md). */
export function seatsToGive(event: SchoolEvent, now: Date): number {
  if (event.status !== 'published' || now >= event.starts_at) return 0;
  const free = event.max_attendees === null ? event.waitlisted : event.max_attendees - event.current_attendees;
  return Math.max(0, Math.min(free, event.waitlisted));
}

/** Moves the first of the waitlist up, in order; promoted means confirmed (decisions.md, "promotion"). */
export function promoted(
  event: SchoolEvent,
  first: readonly Registration[],
  { by, actor, now }: { by: string | null; actor: Actor; now: Date },
): { event: SchoolEvent; registrations: Registration[]; facts: NewFact[] } {
  const registrations = first.map(
    (waiting): Registration => ({
      ...waiting,
      status: 'confirmed',
      confirmation: waiting.confirmation + 1,
      promoted_by: by,
      confirmed_at: now,
      updated_at: now,
    }),
  );
  return {
    event: {
      ...event,
      current_attendees: event.current_attendees + first.length,
      waitlisted: event.waitlisted - first.length,
    },
    registrations,
    facts: registrations.map((registration) => ({
      ...scopeOf(event),
      event_id: event.id,
      occurred_at: now,
      actor,
      type: 'registration.confirmed',
      data: {
        registration_id: registration.id,
        user_id: registration.user_id,
        confirmation: registration.confirmation,
        promoted_by: by ?? 'free seats',
      },
    })),
  };
}
