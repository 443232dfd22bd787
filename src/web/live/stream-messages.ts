import type { InboxEntry } from '../api/types.ts';

/** Messages of the event stream, as its route describes them. */
export type StreamEvent =
  | { event: 'ready' | 'unread'; data: { unread_count: number; unseen_count: number } }
  | { event: 'message'; data: InboxEntry }
  | { event: 'marked'; data: { mark: string; id: string | null } }
  | { event: 'event.changed'; data: { ids: string[]; some_gone: boolean } }
  | { event: 'reset'; data: object }
  | { event: 'end'; data: { why: 'token' | 'shutdown' | 'lost' } };

/** A message with its id, which a reconnect sends as `last-event-id`. */
export type StreamMessage = StreamEvent & { id: string | null };
