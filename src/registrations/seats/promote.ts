import { WriteConflict } from '../../core/transaction.ts';
import type { Fact, FactType } from '../../outbox/fact.ts';
import type { Scope } from '../../people/caller.ts';
import type { SeatAuditStore, SeatDeps } from '../ports.ts';
import type { PromotionCause } from '../registration.ts';
import { seatsToGive } from './admission.ts';
import { promote } from './seat-book.ts';
import { openSeatBook, storeSeatBook } from './store-seat-book.ts';

/** Facts after which many seats may be free, so that the waitlist worker has to promote. */
const FREES_SEATS: readonly FactType[] = ['event.published', 'event.changed', 'event.edited', 'seats.freed'];

/** People promoted in one transaction. */
const PROMOTION_CHUNK = 200;
const JITTER_MS = 5;

/**
 * Promotes people on the waitlist into free seats, in order and in chunks: after the capacity was raised, the event was
 * published again or many registrations were cancelled. Safe to run in parallel, because each chunk writes the event's row.
 * Meanwhile new registrations join the end of the waitlist.
 * @returns how many were promoted
 */
export async function promoteWaiting(
  deps: SeatDeps,
  scope: Scope,
  event_id: string,
  because: PromotionCause,
): Promise<number> {
  let total = 0;
  for (;;) {
    try {
      const promoted = await promoteChunk(deps, scope, event_id, because);
      if (promoted === 0) return total;
      total += promoted;
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * JITTER_MS));
    }
  }
}

/** @throws WriteConflict */
async function promoteChunk(deps: SeatDeps, scope: Scope, event_id: string, because: PromotionCause): Promise<number> {
  const event = await deps.events.find(scope, event_id);
  const now = deps.clock.now();
  if (!event || seatsToGive(event, now) === 0) return 0;
  const book = await openSeatBook(deps, event, [{ promotions: PROMOTION_CHUNK }]);
  const promoted = promote(book, PROMOTION_CHUNK, { by: null, because, now });
  if (book.dirty.size > 0) await deps.transactOnce((tx) => storeSeatBook(deps, book, tx));
  return promoted;
}

/**
 * Promotes people in all events with free seats, so that no one waits while a seat is free (delivery.md, promise 4). May run
 * often and in parallel: if no seat is free, a call costs one indexed query.
 * @returns the events with promotions
 */
export async function resumeWaitlists(
  deps: SeatDeps & { seatAudit: Pick<SeatAuditStore, 'findEventsWithFreeSeats'> },
  limit: number,
): Promise<{ event_id: string; promoted: number }[]> {
  const resumed: { event_id: string; promoted: number }[] = [];
  for (const { id, ...scope } of await deps.seatAudit.findEventsWithFreeSeats(limit)) {
    const [freeing] = await deps.facts.listOfEvent(scope, id, { types: FREES_SEATS, limit: 1 });
    const promoted = await promoteWaiting(deps, scope, id, freeing ? causeOf(freeing) : 'found_free');
    if (promoted > 0) resumed.push({ event_id: id, promoted });
  }
  return resumed;
}

/** The promotion cause that a seat-freeing fact stands for. */
function causeOf(fact: Pick<Fact, 'type'>): PromotionCause {
  if (fact.type === 'event.published') return 'published';
  return fact.type === 'seats.freed' ? 'many_cancelled' : 'capacity_raised';
}
