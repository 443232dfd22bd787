import type { Scope } from '../../people/caller.ts';

/** In-app messages: the inbox is their only provider. What changes it is signalled to those who listen. */
export type InboxStore = {
  /** Exactly once per delivery id: an entry that exists is left alone, and signalled again. */
  insertMany(entries: readonly NewInboxEntry[]): Promise<void>;
  /** Newest first; either what is archived or what is not. */
  page(
    scope: Scope,
    user_id: string,
    query: { unread: boolean; archived: boolean; limit: number; before?: { at: Date; id: string } },
  ): Promise<InboxEntry[]>;
  /** Of what is not archived. */
  counts(scope: Scope, user_id: string): Promise<InboxCounts>;
  /** @returns false where this person has no such entry; one marked already is left as it is */
  mark(scope: Scope, user_id: string, mark: InboxMark, id: string): Promise<boolean>;
  /** Everything that is not archived and there by now. @returns how many were not marked so yet */
  markAll(scope: Scope, user_id: string, mark: 'read' | 'seen'): Promise<number>;
  /** Entries by their ids, whoever has them. */
  findMany(ids: readonly string[]): Promise<StoredInboxEntry[]>;
  /**
   * What came to this person's inbox after a moment of `arrived_at`, oldest first; null where it is more than `limit`.
   */
  since(scope: Scope, user_id: string, after: number, limit: number): Promise<StoredInboxEntry[] | null>;
};

export type InboxEntry = Scope & {
  /** the delivery's id */
  id: string;
  user_id: string;
  event_id: string;
  trigger: string;
  title: string;
  body: string;
  url: string;
  created_at: Date;
  /** the person was shown that it is there */
  seen_at: Date | null;
  read_at: Date | null;
  archived_at: Date | null;
};

export type NewInboxEntry = Omit<InboxEntry, 'seen_at' | 'archived_at'>;

/** `arrived_at`: when the database took it, in seconds of its own clock; never set by a worker. */
export type StoredInboxEntry = InboxEntry & { arrived_at: number };

export type InboxCounts = { unread_count: number; unseen_count: number };

/** What is read has also been seen. */
export const INBOX_MARKS = ['seen', 'read', 'archived', 'unarchived'] as const;
export type InboxMark = (typeof INBOX_MARKS)[number];

/** That something happened to an inbox: ids only. */
export type InboxSignal = {
  arrived?: readonly (Scope & { user_id: string; id: string })[];
  /** `id` null: everything */
  marked?: Scope & { user_id: string; mark: InboxMark; id: string | null };
};
