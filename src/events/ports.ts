import type { Clock } from '../core/clock.ts';
import type { Transact, Tx } from '../core/transaction.ts';
import type { FactStore } from '../outbox/ports.ts';
import type { Scope } from '../people/caller.ts';
import type { SchoolStore } from '../people/ports.ts';
import type { SEEN_FIELDS } from '../people/visibility.ts';
import type { VisibleEvents } from '../people/visible-events.ts';
import type { EventStatus, SchoolEvent } from './event.ts';
import type { ClockAction } from './rules/due.ts';
import type { EventType } from './rules/event-types.ts';
import type { EventFilter } from './rules/filter.ts';
import type { SeenEvent } from './rules/hints.ts';

export type EventStore = {
  /** Deleted events and those of another scope are not there. */
  find(scope: Scope, id: string, tx?: Tx): Promise<SchoolEvent | null>;
  /**
   * The event as it was, with its row taken for this transaction: `version` has grown by one in it, and nobody else can
   * write it until the end. Fails at once where somebody else has it.
   */
  hold(scope: Scope, id: string, tx: Tx): Promise<SchoolEvent | null>;
  /** For workers, who hold an id and check the tenant themselves. */
  findAnywhere(id: string): Promise<SchoolEvent | null>;
  insert(events: readonly SchoolEvent[], tx: Tx): Promise<void>;
  /** Writes the whole event if it still has `version`. @returns false where somebody else was first */
  replace(event: SchoolEvent, version: number, tx: Tx): Promise<boolean>;
  /** The same for many at once, each in the place of what it was. @returns false where one of them had another version */
  replaceMany(changes: readonly { before: SchoolEvent; after: SchoolEvent }[], tx: Tx): Promise<boolean>;
  /** All occurrences of a series, the first one (whose id it goes by) included; in no order. */
  series(scope: Scope, parent_id: string, tx?: Tx): Promise<SchoolEvent[]>;
  /** Those of the ids that exist, of whatever school, in no order. For workers. */
  findMany(ids: readonly string[], tx?: Tx): Promise<SchoolEvent[]>;
  /** Ids of the events this move is due for by the database's clock, the longest due first. */
  due(action: ClockAction, limit: number): Promise<string[]>;
  /** Published events that have not begun by the database's clock, by start and id; strictly after `after`. */
  ahead(after: { at: Date; id: string } | null, limit: number): Promise<SchoolEvent[]>;
  /**
   * Events still to come or going on whose instants were derived with an earlier edition of the time zone database, by
   * id; strictly after `after`.
   */
  derivedBefore(tz_version: string, after: string | null, limit: number): Promise<SchoolEvent[]>;
  /** Notes that the instants are right by this edition too, of those events that still have the version given. */
  markDerived(events: readonly Pick<SchoolEvent, 'id' | 'version'>[], tz_version: string): Promise<void>;
  /** When the first of those that wait for this move is due; null where none waits. */
  nextDue(action: ClockAction): Promise<Date | null>;
};

/** Reads of many events at once; what is not among `visible` is not there. Every filter given must hold. */
export type EventReader = {
  /**
   * Ordered by start and id, or the other way round; strictly after `after`. A page ends before `limit` when its events
   * reach `PAGE_BYTES`, so that memory is bounded; it has at least one event if there is one.
   */
  page(
    visible: VisibleEvents,
    filters: readonly EventFilter[],
    page: EventPage,
  ): Promise<{ events: SchoolEvent[]; has_more: boolean }>;
  /**
   * Some fields of many events in the same order, read in small batches as the caller asks for more: memory does not grow
   * with the number of events. `restricted_to` is null for events that are not restricted.
   */
  batches<F extends keyof SchoolEvent>(
    visible: VisibleEvents,
    filters: readonly EventFilter[],
    fields: readonly F[],
    page: EventPage,
  ): AsyncIterable<Pick<SchoolEvent, F | ReadAlways>[]>;
  /** How many there are and how many seats are taken, by type and status. */
  tally(visible: VisibleEvents, filters: readonly EventFilter[], now: Date): Promise<EventTally[]>;
  /** The tenants that have a school with this id; more than two are not told. */
  tenantsOf(school_id: string): Promise<string[]>;
};

/** The fields that are read of every event: those that order it, and those that decide who sees it. */
export type ReadAlways = 'id' | 'starts_at' | (typeof SEEN_FIELDS)[number];

/** About how many bytes the events of one page take in the database. */
export const PAGE_BYTES = 500_000;

export type EventPage = { descending?: boolean; after?: { at: Date; id: string } | null; limit: number };

export type EventTally = {
  event_type: EventType;
  status: EventStatus;
  count: number;
  /** of these, how many start later than now */
  ahead: number;
  seats: number;
};

/** Changes of events as they happen, for those who look at some. */
export type EventWatch = {
  /** Ids of events written from the moment the promise resolves, by any process; after `lost` nothing more comes. */
  listen(on: (id: string) => void, lost: (error: unknown) => void): Promise<() => Promise<void>>;
  /** Of any school; deleted ones too. */
  seen(ids: readonly string[]): Promise<SeenEvent[]>;
  /** Those that may have gone out of somebody's sight a moment ago. */
  hidden(ids: readonly string[]): Promise<ReadonlySet<string>>;
};

/**
 * Called in the transaction of every change of events, for slices that keep something derived from it (the reminder
 * plan). `before` is null for a new event.
 */
export type OnEventsChanged = (
  changes: readonly { before: SchoolEvent | null; after: SchoolEvent }[],
  tx: Tx,
) => Promise<void>;

export type EventDeps = {
  transact: Transact;
  clock: Clock;
  events: EventStore;
  facts: FactStore;
  schools: SchoolStore;
  onEventsChanged: OnEventsChanged;
};

/** What reading many events needs. */
export type ReadingDeps = { clock: Clock; eventReader: EventReader; schools: Pick<SchoolStore, 'find'> };
