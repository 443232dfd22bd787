import type { Clock } from '../core/clock.ts';
import type { Moment } from '../core/paging.ts';
import type { Tx } from '../core/transaction.ts';
import type { Listen } from '../core/wake-ups.ts';
import type { Days } from '../core/zoned-time.ts';
import type { FactDeps } from '../outbox/ports.ts';
import type { Scope } from '../people/caller.ts';
import type { SchoolStore } from '../people/school.ts';
import type { VisibleEvents } from '../people/visible-events.ts';
import type { EventStatus, SchoolEvent } from './event.ts';
import type { EventType } from './event-types.ts';
import type { HeldChangeStore } from './held-change.ts';
import type { EventFilter } from './rules/filter.ts';
import type { SeenEvent } from './rules/hints.ts';
import type { ClockAction } from './rules/lifecycle.ts';

/** One event before (null if it is new) and after a change. */
export type EventChange = { before: SchoolEvent | null; after: SchoolEvent };

export type EventStore = {
  /** Returns null for deleted events and those of another scope. */
  find(scope: Scope, id: string, tx?: Tx): Promise<SchoolEvent | null>;
  /**
   * Locks the event's row for this transaction by incrementing its stored `version`.
   * @returns the event as it was before
   * @throws WriteConflict if another transaction has locked it
   */
  lock(scope: Scope, id: string, tx: Tx): Promise<SchoolEvent | null>;
  insert(events: readonly SchoolEvent[], tx: Tx): Promise<void>;
  /** Replaces events, each if its version is still that of `before`. @returns false if one of them had another version */
  replaceMany(changes: readonly { before: SchoolEvent; after: SchoolEvent }[], tx: Tx): Promise<boolean>;
  /** All occurrences of a series, including the first, whose id is `parent_id`; in no order. @param scope null: of any school */
  findSeries(scope: Scope | null, parent_id: string, tx?: Tx): Promise<SchoolEvent[]>;
  /** How many occurrences a series has, and the bytes of all together (rules/validation.ts). */
  measureSeries(scope: Scope, parent_id: string, tx?: Tx): Promise<{ count: number; bytes: number }>;
  /** Events of any school that exist, in no order, and those whose deletion can still be undone. For workers. */
  findMany(ids: readonly string[], tx?: Tx): Promise<SchoolEvent[]>;
  /** Events of a school, deleted ones too, in no order. */
  findWithDeleted(scope: Scope, ids: readonly string[], tx: Tx): Promise<SchoolEvent[]>;
  /** Clears a `held_until` that has passed, which signals these events to open pages (`EventWatch`). */
  clearHolds(ids: readonly string[]): Promise<void>;
  /** Ids of events that are due for this move by the database's clock, the longest due first. */
  findDue(action: ClockAction, limit: number): Promise<string[]>;
  /** Published events that have not begun by the database's clock, by start and id; strictly after `after`. */
  findUpcoming(after: Moment | null, limit: number): Promise<SchoolEvent[]>;
  /**
   * Future and running events whose instants were derived with an earlier version of the time zone database, by id; strictly
   * after `after`.
   */
  findDerivedBefore(tz_version: string, after: string | null, limit: number): Promise<SchoolEvent[]>;
  /** Records that the instants are correct by this version too, for events whose version has not changed. */
  markDerived(events: readonly Pick<SchoolEvent, 'id' | 'version'>[], tz_version: string): Promise<void>;
  /** When the next event is due for this move; null if none is scheduled. */
  findNextDue(action: ClockAction): Promise<Date | null>;
};

/** Queries of many events, limited to `visible`. Every filter given must match. */
export type EventReader = {
  /**
   * Some fields of the events, ordered by start and id, or the other way round; strictly after `after`. With a field that
   * may be long, a page ends before `limit` when its events reach `PAGE_BYTES`, so that memory is bounded; it has at least
   * one event if there is one. `restricted_to` is null for events that are not restricted.
   */
  findPage<F extends keyof SchoolEvent>(
    visible: VisibleEvents,
    filters: readonly EventFilter[],
    fields: readonly F[],
    page: EventPage,
  ): Promise<{ events: Pick<SchoolEvent, F | ReadAlways>[]; has_more: boolean }>;
  /** Counts, in one snapshot, the events that start on these days (null: all), and their taken seats, by status. */
  countByStatus(visible: VisibleEvents, days: Days | null, now: Date): Promise<EventTally[]>;
  /** Up to two tenants that have a school with this id. */
  findTenants(school_id: string): Promise<string[]>;
};

/** The fields that are read of every event: those that order it. */
export type ReadAlways = 'id' | 'starts_at';

/** About how many bytes the events of a page with long fields take in the database. */
export const PAGE_BYTES = 500_000;

export type EventPage = { descending?: boolean; after?: Moment | null; limit: number };

export type EventTally = {
  status: EventStatus;
  count: number;
  /** of these, how many are upcoming: they start later than now and have not begun */
  upcoming: number;
  seats: number;
  confirmed: number;
  checked_in: number;
  types: Partial<Record<EventType, number>>;
};

/** Live changes of events, for open pages. */
export type EventWatch = {
  /** Subscribes to the ids of events that any process writes. */
  listen: Listen<string>;
  /** Events of any school, including deleted ones. */
  loadVisibility(ids: readonly string[]): Promise<SeenEvent[]>;
  /** The events that may have become invisible to some viewers a moment ago. */
  findHidden(ids: readonly string[]): Promise<ReadonlySet<string>>;
};

/** Hook called in the transaction of every change of events, to update derived data (reminders). */
export type OnEventsChanged = (changes: readonly EventChange[], tx: Tx) => Promise<void>;

export type EventDeps = FactDeps & {
  events: EventStore;
  heldChanges: HeldChangeStore;
  schools: SchoolStore;
  onEventsChanged: OnEventsChanged;
};

/** The dependencies of queries of many events. */
export type ReadingDeps = { clock: Clock; eventReader: EventReader; schools: Pick<SchoolStore, 'find'> };

/** Notes that the installation keeps about itself, as text by name: e.g. which time zone rules it last applied. */
export type InstallationNotes = {
  read(name: string): Promise<string | null>;
  write(name: string, value: string): Promise<void>;
};
