import type { Delivery } from '../delivery.ts';
import type { NewInboxEntry } from '../ports.ts';

/** Held by one process while it writes the in-app messages of one fact directly into inboxes. */
export type InboxLock = { fact_id: string; event_id: string; by: string };

/** A delivery with its result: sent, or skipped by the gate. */
export type EndedDelivery = {
  row: Delivery;
  ended: Pick<Delivery, 'status'> & Partial<Pick<Delivery, 'reason' | 'attempts'>>;
};

/** A direct write commits at most this long after the `settled_at` of its rows. */
export const WRITE_WITHIN_MS = 500;

/**
 * In-flight locks of direct inbox writes, which have no row with the status `sending`. A later fact of the event revokes
 * them before its own messages go out; a write that runs at that moment either commits before or fails.
 */
export type InboxLocks = {
  /**
   * @returns false if the lock is held or its holder died; after that no process writes directly for this fact, because
   * the lock of a dead holder stays until `forget`
   */
  acquire(lock: InboxLock): Promise<boolean>;
  /**
   * Inserts deliveries, inbox entries and their signal in one transaction. @returns false if nothing was stored: the lock
   * was revoked, a row exists already, or the write took longer than `WRITE_WITHIN_MS`
   */
  write(lock: InboxLock, ended: readonly EndedDelivery[], entries: readonly NewInboxEntry[]): Promise<boolean>;
  release(lock: InboxLock): Promise<void>;
  /** Removes the lock of a processed fact, whoever holds it. */
  forget(fact_id: string): Promise<void>;
  /** Revokes the locks of all other facts of the event; on return none of their writes is in flight. */
  revoke(event_id: string, except_fact_id: string): Promise<void>;
};
