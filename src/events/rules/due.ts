import type { SchoolEvent } from '../event.ts';

/** The moves that the clock makes (decisions.md, "Lifecycle"). */
export const CLOCK_ACTIONS = ['publish', 'start', 'complete'] as const;
export type ClockAction = (typeof CLOCK_ACTIONS)[number];

/** When the clock has to make this move; null if it has not to. */
export function dueSince(event: SchoolEvent, action: ClockAction): Date | null {
  if (event.deleted_at !== null) return null;
  switch (action) {
    case 'publish':
      return event.status === 'scheduled' ? event.publish_at : null;
    case 'start':
      return event.status === 'published' ? event.starts_at : null;
    case 'complete':
      return event.status === 'in_progress' ? event.ends_at : null;
  }
}

export function isDue(event: SchoolEvent, action: ClockAction, now: Date): boolean {
  const since = dueSince(event, action);
  return since !== null && since <= now;
}
