import type { StoredReply } from '../core/idempotency-record.ts';
import type { Scope } from '../people/caller.ts';
import type { InboxCursor } from './retention.ts';

/** Where a person stands in the database. */
export type PersonTraces = {
  /** Ids of the registrations that hold a seat or a place on a waitlist. */
  activeRegistrations(scope: Scope, user_id: string): Promise<string[]>;
  /**
   * Removes what is the person's alone, and puts `alias` for them in what stays. Kept replies that name them become
   * `gone`. May be asked again after a crash. @returns how many records of each kind
   */
  erase(scope: Scope, user_id: string, as: { alias: string; gone: StoredReply }): Promise<Record<string, number>>;
};

/** Records that have an age. */
export type OldRecords = {
  /**
   * Events in the order of their ids, deleted ones too. `over_at`: the later of their end and their last change; null
   * while they go on. @returns `next` null after the last
   */
  eventsAfter(
    after: string | null,
    limit: number,
  ): Promise<{ events: { id: string; over_at: Date | null }[]; next: string | null }>;
  /**
   * Messages of an event, where all are settled and from before then: how many there were of each kind is written down
   * first. @returns how many went
   */
  forgetDeliveries(event_id: string, before: Date): Promise<number>;
  /** Facts of events and what reported them go; registrations stay without their people. @returns how many facts went */
  forgetHistory(event_ids: readonly string[], before: Date): Promise<number>;
  /** Addresses that came back, and may be tried again since before then. @returns how many went */
  forgetBounces(before: Date): Promise<number>;
  /** Entries from before then, of the inboxes after the given one. */
  forgetInboxes(
    after: InboxCursor | null,
    limit: number,
    before: Date,
  ): Promise<{ removed: number; next: InboxCursor | null }>;
};
