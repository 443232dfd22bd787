import type { Scope } from '../people/caller.ts';
import type { RegistrationDeps } from './ports.ts';
import { promoted, seatsToGive } from './waitlist.ts';

/** How many move up in one transaction. */
export const PROMOTION_CHUNK = 100;

/**
 * Gives free seats to those who wait, in order, in chunks: after a capacity was raised or an event was published again.
 * Any number of callers at once are safe, since each chunk writes the event's row; until all are served newcomers join
 * the end of the waitlist.
 * @returns how many moved up
 */
export async function promoteWaiting(deps: RegistrationDeps, scope: Scope, event_id: string): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await deps.transact(async (tx) => {
      const event = await deps.events.find(scope, event_id, tx);
      if (!event) return 0;
      const now = deps.clock.now();
      const seats = Math.min(PROMOTION_CHUNK, seatsToGive(event, now));
      if (seats === 0) return 0;
      const first = await deps.registrations.firstWaiting(scope, event_id, seats, tx);
      if (first.length === 0) return 0;
      const after = promoted(event, first, { by: null, actor: 'system', now });
      for (const next of after.registrations) await deps.registrations.replace(next, tx);
      await deps.events.replace({ ...after.event, version: event.version + 1 }, event.version, tx);
      await deps.facts.record(after.facts, tx);
      return first.length;
    });
    total += count;
    if (count < PROMOTION_CHUNK) return total;
  }
}
