import type { Delivery } from '../delivery.ts';
import type { NewInboxEntry } from '../ports.ts';

/** Of one fact, by one process, for one turn. */
export type Telling = { fact_id: string; event_id: string; by: string };

/** How many writes of one telling may be under way at a time, each at a place of its own: two at one place wait for each other. */
export const PLACES = 2;

/** A row, and how it has ended: sent, or stopped by the gate. */
export type Told = {
  row: Delivery;
  ended: Pick<Delivery, 'status'> & Partial<Pick<Delivery, 'reason' | 'attempts'>>;
};

/** How much later than its row says a message may be read at the most; the commit comes on top of it. */
export const PUT_WITHIN_MS = 500;

/**
 * Who is putting messages into inboxes right now, past the queue. What is told that way has no row that is `sending`
 * while it happens; this stands in its place. No clock decides: whoever has something later to say takes the telling
 * away, and what is put down in that moment is either there by then or comes to nothing.
 */
export type Tellings = {
  /**
   * @returns false where this fact is being told already, or was when a process died; after that nobody puts anything
   * down for it any more
   */
  begin(telling: Telling): Promise<boolean>;
  /**
   * Rows, ended now, and inbox entries, and the signal of them, all or none. @returns false where nothing was stored: the
   * telling was taken away, one of the rows exists, or it took longer than `PUT_WITHIN_MS`
   */
  put(telling: Telling, place: number, told: readonly Told[], entries: readonly NewInboxEntry[]): Promise<boolean>;
  end(telling: Telling): Promise<void>;
  /** What died at this fact is of no meaning any more. */
  forget(fact_id: string): Promise<void>;
  /** Ends what is being told of an event by other facts; when it returns nothing of it is on its way. */
  stop(event_id: string, except_fact_id: string): Promise<void>;
};
