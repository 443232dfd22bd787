import type { Tx } from '../../core/transaction.ts';
import type { Fact } from '../../outbox/fact.ts';
import type { Scope } from '../../people/caller.ts';
import type { SchoolEvent } from '../event.ts';
import type { Action } from '../rules/lifecycle.ts';
import { canonical } from '../rules/merge.ts';

/** The longest time in which a change can be undone. */
export const LONGEST_HOLD_SECONDS = 60;

/** The pause between the last moment to undo a change and its messages: an undo that began in time has committed by then. */
export const GRACE_MS = 1_000;

/**
 * A change that can be undone for some seconds. Its events have changed already; its facts are recorded and its derived data
 * are updated when it is released, so that an undo leaves no trace.
 */
export type HeldChange = Scope & {
  id: string;
  action: Action;
  /** the end of the time to undo it */
  until: Date;
  release_at: Date;
  /** undone and released changes are kept for an hour, to answer an undo that is repeated or late */
  state: 'held' | 'undone' | 'released';
  /** the changed fields of its events, those of the addressed event first */
  events: { id: string; before: Partial<SchoolEvent>; after: Partial<SchoolEvent> }[];
  /** none once it is released or undone */
  facts: Fact[];
};

export type HeldChangeStore = {
  insert(change: HeldChange, tx: Tx): Promise<void>;
  find(scope: Scope, id: string, tx: Tx): Promise<HeldChange | null>;
  /** The facts of an event that are recorded once they can't be undone any more, in no order. */
  factsOf(scope: Scope, event_id: string): Promise<Fact[]>;
  /**
   * Ends the hold in this transaction: of two that end the same one, only one commits.
   * @returns the change, null if it is not held any more
   */
  close(id: string, state: 'undone' | 'released', tx: Tx): Promise<HeldChange | null>;
  /** Ids of changes to release now, by the database's clock, the oldest first. */
  findDue(limit: number): Promise<string[]>;
  /** When the next change is to be released; null if none is held. */
  nextDue(): Promise<Date | null>;
};

/** How long messages about an event wait, in milliseconds, because its last change can still be undone. */
export const heldMs = ({ held_until }: Pick<SchoolEvent, 'held_until'>, now: Date): number =>
  held_until ? Math.max(0, held_until.getTime() - now.getTime()) : 0;

export const isHeld = (event: Pick<SchoolEvent, 'held_until'>, now: Date): boolean => heldMs(event, now) > 0;

/** The fields that differ, with both values. */
export function differenceOf(before: SchoolEvent, after: SchoolEvent): HeldChange['events'][number] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof SchoolEvent)[];
  const changed = names.filter((name) => name !== 'version' && canonical(before[name]) !== canonical(after[name]));
  const only = (event: SchoolEvent) => Object.fromEntries(changed.map((name) => [name, event[name] ?? null]));
  return { id: after.id, before: only(before), after: only(after) };
}

/**
 * The event with the fields as they were before the change; other fields, such as the number of registrations, stay.
 * @returns null if one of these fields has changed again since
 */
export function restored(event: SchoolEvent, { before, after }: HeldChange['events'][number]): SchoolEvent | null {
  const names = Object.keys(after) as (keyof SchoolEvent)[];
  const since = names.filter((name) => canonical(event[name] ?? null) !== canonical(after[name]));
  if (since.some((name) => name !== 'updated_at')) return null;
  const updated_at = (since.length === 0 && before.updated_at) || event.updated_at;
  return { ...event, ...before, version: event.version + 1, updated_at };
}
