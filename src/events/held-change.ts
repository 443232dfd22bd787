import { byId } from '../core/groups.ts';
import { canonical } from '../core/objects.ts';
import type { Tx } from '../core/transaction.ts';
import type { Fact, FactType } from '../outbox/fact.ts';
import type { FactStore } from '../outbox/ports.ts';
import type { Scope } from '../people/caller.ts';
import type { SchoolEvent } from './event.ts';
import type { Action } from './rules/lifecycle.ts';

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
  findFacts(scope: Scope, event_id: string): Promise<Fact[]>;
  /**
   * Ends the hold in this transaction: of two that end the same one, only one commits.
   * @returns the change, null if it is not held any more
   */
  close(id: string, state: 'undone' | 'released', tx: Tx): Promise<HeldChange | null>;
  /** Ids of changes to release now, by the database's clock, the oldest first. */
  findDue(limit: number): Promise<string[]>;
  /** When the next change is to be released; null if none is held. */
  findNextDue(): Promise<Date | null>;
};

/** How long messages about an event wait, in milliseconds, because its last change can still be undone. */
export const heldMs = ({ held_until }: Pick<SchoolEvent, 'held_until'>, now: Date): number =>
  held_until ? Math.max(0, held_until.getTime() - now.getTime()) : 0;

export const isHeld = (event: Pick<SchoolEvent, 'held_until'>, now: Date): boolean => heldMs(event, now) > 0;

/** An undo that publishes an event again must not move it, because no one would be notified of that. */
const ANNOUNCED: readonly (keyof SchoolEvent)[] = ['schedule_version', 'location_name', 'location'];

/** The changed fields before and after, and time and place: an undo is refused if one changes again. */
export function beforeAndAfter(before: SchoolEvent, after: SchoolEvent): HeldChange['events'][number] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof SchoolEvent)[];
  const differs = (name: keyof SchoolEvent) => canonical(before[name]) !== canonical(after[name]);
  const changed = names.filter((name) => name !== 'version' && (ANNOUNCED.includes(name) || differs(name)));
  const only = (event: SchoolEvent) => Object.fromEntries(changed.map((name) => [name, event[name] ?? null]));
  return { id: after.id, before: only(before), after: only(after) };
}

/** Facts of one event as `FactStore.listOfEvent`, newest first, with those of changes that can still be undone. */
export async function listHistory(
  { facts, heldChanges }: { facts: Pick<FactStore, 'listOfEvent'>; heldChanges: Pick<HeldChangeStore, 'findFacts'> },
  event: SchoolEvent,
  { limit, before, types }: { limit: number; before?: string; types?: readonly FactType[] },
): Promise<Fact[]> {
  // Held facts first: one that is recorded meanwhile is then read twice rather than not at all.
  const held = (await heldChanges.findFacts(event, event.id)).filter(
    ({ id, type }) => (before === undefined || id < before) && (types?.includes(type) ?? true),
  );
  const recorded = await facts.listOfEvent(event, event.id, { limit, before, types });
  return [...byId([...held, ...recorded]).values()].sort((a, b) => (a.id < b.id ? 1 : -1));
}
