import type { SchoolEvent } from '../event.ts';

/** What happens to an event because time passes (decisions.md, "Lifecycle"). */
export const CLOCK_ACTIONS = ['publish', 'start', 'complete'] as const;
export type ClockAction = (typeof CLOCK_ACTIONS)[number];

/** Since when the clock should have made this move; null where it is not the clock's to make. */
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
