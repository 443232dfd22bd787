import type { Static, TObject } from 'typebox';
import type { Moment } from '../../core/paging.ts';
import { stampOrNull } from '../../core/schema.ts';
import type { Scope } from '../../people/caller.ts';
import type { Delivery } from '../delivery.ts';

/** Reads and marks sent in-app deliveries, which are the entries of the inboxes. Signals every change to listeners. */
export type InboxStore = {
  /** Signals new entries, after their deliveries were stored; a repeat is harmless. */
  signalArrivals(rows: readonly Pick<Delivery, 'id' | 'tenant_id' | 'school_id' | 'user_id'>[]): Promise<void>;
  /** Newest first; either archived entries or the others. */
  findPage(
    scope: Scope,
    user_id: string,
    query: { unread: boolean; archived: boolean; limit: number; before?: Moment | null },
  ): Promise<StoredEntry[]>;
  /** Counts unread entries outside of the archive, by fact. */
  countUnread(scope: Scope, user_id: string): Promise<(InboxCounts & Pick<Delivery, 'event_id' | 'fact_id'>)[]>;
  /** Leaves a mark that is set already as it is. @returns false if this person has no such entry */
  mark(scope: Scope, user_id: string, mark: InboxMark, id: string): Promise<boolean>;
  /** Marks all entries outside of the archive. @returns how many had no such mark */
  markAll(scope: Scope, user_id: string, mark: 'read' | 'seen'): Promise<number>;
  /** Marks the unread entries that ask these people to confirm having read these events as read. */
  markAcknowledged(scope: Scope, user_ids: readonly string[], event_ids: readonly string[]): Promise<void>;
  /** Entries of any person. */
  findMany(ids: readonly string[]): Promise<StoredEntry[]>;
  /** Entries of this person with a later `arrived_at`, oldest first; null if there are more than `limit`. */
  findSince(scope: Scope, user_id: string, after: number, limit: number): Promise<StoredEntry[] | null>;
};

/** A text as the inbox shows it. */
export type InboxText = { title: string; body: string };

/** When the reader marked an entry. */
export const MARKS = {
  seen_at: { ...stampOrNull, description: 'When the message was seen.' },
  read_at: { ...stampOrNull, description: 'When the message was read.' },
  archived_at: { ...stampOrNull, description: 'When the message was archived.' },
};

/**
 * A sent in-app delivery with its text and marks.
 * @property arrived_at when the database stored it as sent, in seconds of the database's own clock
 */
export type StoredEntry = Omit<Delivery, 'settled_at' | keyof InboxText> &
  InboxText &
  Static<TObject<typeof MARKS>> & { settled_at: Date; arrived_at: number };

export type InboxCounts = { unread_count: number; unseen_count: number };

/** A read entry has also been seen. */
export type InboxMark = 'seen' | 'read' | 'archived' | 'unarchived';

/** A change of inboxes: ids only. */
export type InboxSignal = {
  arrived?: readonly (Scope & { user_id: string; id: string })[];
  /** `id` null: all entries */
  marked?: Scope & { user_id: string; mark: InboxMark; id: string | null };
};
