import type { Clock } from '../core/clock.ts';
import type { Scope } from '../people/caller.ts';

/** Records with a retention period. */
export type OldRecords = {
  /**
   * Events by id, including deleted ones, and messages of the school. `over_at` of a message: when it was sent; of an event: the
   * later of its end and its last change, in a series the latest of those of all dates; null while it runs.
   * @returns `next`: null after the last
   */
  findEvents(
    after: string | null,
    limit: number,
  ): Promise<{ events: { id: string; over_at: Date | null }[]; next: string | null }>;
  /**
   * Removes the deliveries of an event if all are final and older than `before`. Stores their counts first. @returns how many
   */
  removeDeliveries(event_id: string, before: Date): Promise<number>;
  /** Removes facts and ingest records of events, and messages, and anonymises registrations. @returns how many facts */
  removeHistory(event_ids: readonly string[], before: Date): Promise<number>;
  /** Removes bounces whose suppression ended before `before`. @returns how many */
  removeBounces(before: Date): Promise<number>;
  /** Removes entries older than `before` from up to `limit` inboxes after `after`. */
  removeInboxEntries(
    after: InboxCursor | null,
    limit: number,
    before: Date,
  ): Promise<{ removed: number; next: InboxCursor | null }>;
};

/** Retention periods of personal records, in days. For records of an event they begin when it is over and unchanged. */
export type KeptDays = {
  /** deliveries: who was notified of what, on which channel, or why not */
  readonly deliveries: number;
  /** inbox entries, from their arrival */
  readonly inbox: number;
  /** the facts of an event, and who was registered */
  readonly history: number;
};

/** The cursor after a round; null: at the end, and the next round starts again. */
export type RetentionCursor = { events: string | null; inbox: InboxCursor | null };
export type InboxCursor = Scope & { user_id: string };

const EVENTS = 200;
const PEOPLE = 200;
const DAY_MS = 86_400_000;

/**
 * Removes expired records of some events and some inboxes. Never removes deliveries that are not final; keeps counts of
 * deliveries without personal data. May repeat any part, in any number of processes.
 * @returns how many records were removed, by kind, and the cursor for the next round
 */
export async function removeOldRecords(
  { clock, old }: { clock: Clock; old: OldRecords },
  days: KeptDays,
  from: RetentionCursor | null,
): Promise<{ removed: Record<string, number>; next: RetentionCursor | null }> {
  const before = (age: number) => new Date(clock.now().getTime() - age * DAY_MS);
  const removed: Record<string, number> = {};
  const count = (kind: string, more: number) => {
    if (more > 0) removed[kind] = (removed[kind] ?? 0) + more;
  };
  let events: string | null = null;
  if (!from || from.events !== null) {
    const page = await old.findEvents(from?.events ?? null, EVENTS);
    const overSince = (age: number) => page.events.filter(({ over_at }) => over_at && over_at < before(age));
    for (const { id } of overSince(days.deliveries))
      count('deliveries', await old.removeDeliveries(id, before(days.deliveries)));
    const past = overSince(days.history).map(({ id }) => id);
    if (past.length > 0) count('history', await old.removeHistory(past, before(days.history)));
    events = page.next;
    if (events === null) count('bounces', await old.removeBounces(before(days.deliveries)));
  }
  let inbox: InboxCursor | null = null;
  if (!from || from.inbox !== null) {
    const page = await old.removeInboxEntries(from?.inbox ?? null, PEOPLE, before(days.inbox));
    count('inbox', page.removed);
    inbox = page.next;
  }
  return { removed, next: events === null && inbox === null ? null : { events, inbox } };
}
