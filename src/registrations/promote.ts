import { WriteConflict } from '../core/transaction.ts';
import type { Fact } from '../outbox/fact.ts';
import type { Scope } from '../people/caller.ts';
import type { EventQueueDeps, SeatAuditStore } from './ports.ts';
import type { PromotionCause } from './registration.ts';
import { moveUp } from './seat-book.ts';
import { openSeatBook, storeSeatBook } from './store-seat-book.ts';
import { FREES_SEATS, seatsToGive } from './waitlist.ts';

/** How many move up in one transaction. */
export const PROMOTION_CHUNK = 200;
const JITTER_MS = 5;

/**
 * Gives free seats to those who wait, in order, in chunks: after a capacity was raised, an event was published again or
 * many left at once. Any number of callers at once are safe, since each chunk writes the event's row; until all are
 * served newcomers join the end of the waitlist.
 * @returns how many moved up
 */
export async function promoteWaiting(
  deps: Omit<EventQueueDeps, 'idempotency'>,
  scope: Scope,
  event_id: string,
  because: PromotionCause,
): Promise<number> {
  let total = 0;
  for (;;) {
    const moved = await promoteChunk(deps, scope, event_id, because);
    if (moved === 0) return total;
    if (moved > 0) total += moved;
    else await new Promise((resolve) => setTimeout(resolve, Math.random() * JITTER_MS));
  }
}

/** @returns how many moved up; -1 where somebody else was faster */
async function promoteChunk(
  deps: Omit<EventQueueDeps, 'idempotency'>,
  scope: Scope,
  event_id: string,
  because: PromotionCause,
): Promise<number> {
  const event = await deps.events.find(scope, event_id);
  if (!event || seatsToGive(event, deps.clock.now()) === 0) return 0;
  const sheet = await openSeatBook(deps, scope, event_id, [{ moves: PROMOTION_CHUNK }]);
  if (!sheet) return 0;
  const moved = moveUp(sheet, PROMOTION_CHUNK, { by: null, because, now: deps.clock.now() });
  if (moved === 0) return 0;
  const noReplies = { ...deps, idempotency: { finishMany: async () => [] } };
  return deps
    .transactOnce((tx) => storeSeatBook(noReplies, sheet, [], tx))
    .then(
      () => moved,
      (error) => {
        if (error instanceof WriteConflict) return -1;
        throw error;
      },
    );
}

/**
 * Goes on where no wake-up came or a worker stopped in its midst: nobody waits while a seat is free (delivery.md, promise
 * 4). May run every moment and anywhere: where nobody is to move up it is one look at an index.
 * @returns the events in which somebody moved up
 */
export async function resumeWaitlists(
  deps: ResumeDeps,
  limit: number,
): Promise<{ event_id: string; promoted: number }[]> {
  const resumed: { event_id: string; promoted: number }[] = [];
  for (const { id, ...scope } of await deps.seatAudit.eventsWithFreeSeats(limit)) {
    const [freeing] = await deps.facts.listOfEvent(scope, id, { types: FREES_SEATS, limit: 1 });
    const promoted = await promoteWaiting(deps, scope, id, freeing ? causeOf(freeing) : 'found_free');
    if (promoted > 0) resumed.push({ event_id: id, promoted });
  }
  return resumed;
}

type ResumeDeps = Omit<EventQueueDeps, 'idempotency'> & { seatAudit: Pick<SeatAuditStore, 'eventsWithFreeSeats'> };

/** Why seats are free after this fact. */
export function causeOf(fact: Pick<Fact, 'type'>): PromotionCause {
  if (fact.type === 'event.published') return 'published';
  return fact.type === 'seats.freed' ? 'many_cancelled' : 'capacity_raised';
}
