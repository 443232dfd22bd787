import type { InboxEntry } from '../api/types.ts';

/** What the stream tells, as its route describes it. */
export type News =
  | { event: 'ready' | 'unread'; data: { unread_count: number; unseen_count: number } }
  | { event: 'message'; data: InboxEntry }
  | { event: 'marked'; data: { mark: string; id: string | null } }
  | { event: 'event.changed'; data: { ids: string[]; some_gone: boolean } }
  | { event: 'reset'; data: object }
  | { event: 'end'; data: { why: 'token' | 'shutdown' | 'lost' } };

/** With the id to come back with, where it has one. */
export type Told = News & { id: string | null };
