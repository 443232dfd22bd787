import type { StoredReply } from '../core/idempotency-record.ts';
import type { Scope } from '../people/caller.ts';
import type { InboxCursor } from './retention.ts';

/** The records of a person by kind; kinds without any are missing. */
export type PersonRecords = Record<string, object[]>;

/** The records of a person in the database. */
export type PersonTraces = {
  /** The records about the person, without secrets and without the data of others. */
  read(scope: Scope, user_id: string): Promise<PersonRecords>;
  /** Ids of the person's active registrations for events that are not over. */
  activeRegistrations(scope: Scope, user_id: string): Promise<string[]>;
  /**
   * Removes personal records, and replaces the person by `alias` in the others. Stored replies that name the person become
   * `gone`. May be repeated after a crash. @returns how many records, by kind
   */
  erase(scope: Scope, user_id: string, as: { alias: string; gone: StoredReply }): Promise<Record<string, number>>;
};

/** Records with a retention period. */
export type OldRecords = {
  /**
   * Events by id, including deleted ones, and messages of the school. `over_at`: when a message was sent; of an event the
   * later of its end and its last change; null while it runs.
   * @returns `next`: null after the last
   */
  eventsAfter(
    after: string | null,
    limit: number,
  ): Promise<{ events: { id: string; over_at: Date | null }[]; next: string | null }>;
  /**
   * Removes the deliveries of an event if all are final and older than `before`. Stores their counts first. @returns how many
   */
  forgetDeliveries(event_id: string, before: Date): Promise<number>;
  /** Removes facts and ingest records of events, and messages, and anonymises registrations. @returns how many facts */
  forgetHistory(event_ids: readonly string[], before: Date): Promise<number>;
  /** Removes bounces whose suppression ended before `before`. @returns how many */
  forgetBounces(before: Date): Promise<number>;
  /** Removes entries older than `before` from up to `limit` inboxes after `after`. */
  forgetInboxes(
    after: InboxCursor | null,
    limit: number,
    before: Date,
  ): Promise<{ removed: number; next: InboxCursor | null }>;
};
