import type { FactStore } from '../facts/ports.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Transact, Tx } from '../kernel/transaction.ts';
import type { Scope } from '../people/caller.ts';
import type { SchoolStore } from '../people/ports.ts';
import type { SchoolEvent } from './event.ts';

export type EventStore = {
  /** Deleted events and those of another scope are not there. */
  find(scope: Scope, id: string, tx?: Tx): Promise<SchoolEvent | null>;
  /** For workers, who hold an id and check the tenant themselves. */
  findAnywhere(id: string): Promise<SchoolEvent | null>;
  insert(events: readonly SchoolEvent[], tx: Tx): Promise<void>;
  /** Writes the whole event if it still has `version`. @returns false where somebody else was first */
  replace(event: SchoolEvent, version: number, tx: Tx): Promise<boolean>;
  /** The same for many at once. @returns false where one of them had another version */
  replaceMany(events: readonly { event: SchoolEvent; version: number }[], tx: Tx): Promise<boolean>;
  /** All occurrences of a series, the first one (whose id it goes by) included; in no order. */
  series(scope: Scope, parent_id: string, tx?: Tx): Promise<SchoolEvent[]>;
  /** Scheduled events whose `publish_at` has come, by the database's clock; oldest first. */
  dueToPublish(limit: number): Promise<SchoolEvent[]>;
  /** Published events whose start has come, and running ones whose end has, by the database's clock; oldest first. */
  dueToStart(limit: number): Promise<SchoolEvent[]>;
  dueToComplete(limit: number): Promise<SchoolEvent[]>;
};

/**
 * Called in the transaction of every change of events, for slices that keep something derived from it (the reminder
 * plan). `before` is null for a new event.
 */
export type KeepInStep = (
  changes: readonly { before: SchoolEvent | null; after: SchoolEvent }[],
  tx: Tx,
) => Promise<void>;

export type EventDeps = {
  transact: Transact;
  clock: Clock;
  events: EventStore;
  facts: FactStore;
  schools: SchoolStore;
  keepInStep: KeepInStep;
};
