import type { Refusal } from '../core/errors.ts';
import type { IdempotencyStore, RecordReply } from '../core/idempotency-record.ts';
import type { Range } from '../core/paging.ts';
import type { Tx } from '../core/transaction.ts';
import type { SchoolEvent } from '../events/event.ts';
import type { FindActiveRegistrations } from '../events/find-confirmed.ts';
import type { EventStore } from '../events/ports.ts';
import type { Slot } from '../events/rules/slots.ts';
import type { FactDeps } from '../outbox/ports.ts';
import type { Scope } from '../people/caller.ts';
import type { ContactStore } from '../people/ports.ts';
import type {
  Registration,
  RegistrationCount,
  RegistrationKind,
  RegistrationState,
  RegistrationStatus,
  SeatCounter,
} from './registration.ts';
import type { SeatBook } from './seats/seat-book.ts';

export type RegistrationFilter = { status?: readonly RegistrationStatus[]; kind?: readonly RegistrationKind[] };

export type RegistrationStore = {
  find(scope: Scope, event_id: string, id: string, tx?: Tx): Promise<Registration | null>;
  /** For links that contain only the registration's id. */
  findAnywhere(id: string): Promise<Registration | null>;
  findMany(scope: Scope, ids: readonly string[]): Promise<Registration[]>;
  /** Status of the registrations that exist, in no order. */
  findStatuses(scope: Scope, ids: readonly string[]): Promise<RegistrationState[]>;
  /**
   * Registrations of one event with these ids, and the active ones of these people and of these slots; `since`: also those
   * that these people made after it.
   */
  findAmong(
    scope: Scope,
    event_id: string,
    wanted: { ids: readonly string[]; user_ids: readonly string[]; slots?: readonly Slot[]; since?: Date },
    tx?: Tx,
  ): Promise<Registration[]>;
  /** The active registrations of an event that have slots, in no order. */
  listWithSlots(scope: Scope, event_id: string): Promise<Registration[]>;
  /** All registrations of one event, including cancelled ones. */
  listOfEvent(scope: Scope, event_id: string, tx: Tx): Promise<Registration[]>;
  /** All registrations of one person for one event, including cancelled ones. */
  listOfPerson(scope: Scope, event_id: string, user_id: string): Promise<Registration[]>;
  /** @throws WriteConflict if one of these people already has an active registration for the event, or a slot is taken */
  insertMany(registrations: readonly Registration[], tx: Tx): Promise<void>;
  /** Writes changed registrations. @throws WriteConflict if the status of a stored row is not that of `before` */
  changeMany(changes: readonly { before: Registration; after: Registration }[], tx: Tx): Promise<void>;
  /** Inserts or replaces whole rows. @throws WriteConflict as `insertMany` */
  putMany(registrations: readonly Registration[], tx: Tx): Promise<void>;
  /** The first people on the waitlist, in order of joining. */
  findFirstWaiting(scope: Scope, event_id: string, limit: number, tx?: Tx): Promise<Registration[]>;
  /** Waitlist positions (1 is next) by waitlist number; numbers that no longer wait are missing. */
  findWaitlistPositions(scope: Scope, event_id: string, numbers: readonly number[]): Promise<Map<number, number>>;
  /** One page of a range, ordered by id. */
  findPage(
    scope: Scope,
    event_id: string,
    query: RegistrationFilter & Partial<Range> & { limit: number },
  ): Promise<Registration[]>;
  /** Counts by status and kind; counts of 0 are missing. */
  countByKind(scope: Scope, event_id: string): Promise<RegistrationCount[]>;
  findActive: FindActiveRegistrations;
  /** Active registrations for any of these events, ordered by person; only of people strictly after `after`. */
  findPageByPerson(
    scope: Scope,
    event_ids: readonly string[],
    after: string | null,
    limit: number,
  ): Promise<Registration[]>;
  /** The last id of each full range of `size` registrations after `after`. */
  findRangeEnds(
    scope: Scope,
    event_id: string,
    statuses: readonly RegistrationStatus[],
    after: string,
    size: number,
  ): Promise<string[]>;
};

export type RegistrationDeps = FactDeps & {
  events: EventStore;
  contacts: ContactStore;
  registrations: RegistrationStore;
};

/** A request that may take or free seats of one event; decided in a group on the event's seat book. */
export type SeatRequest<T> = {
  /** what the seat book must contain */
  needs: {
    user_ids?: readonly string[];
    ids?: readonly string[];
    /** the registrations that hold one of these slots */
    slots?: readonly Slot[];
    /** how many people it may promote from the waitlist */
    promotions?: number;
  };
  /** the event as it was read for this request: used if no other request of the event is waiting or running */
  event?: SchoolEvent;
  /**
   * Changes nothing but the book; runs again on a fresh book after a write conflict. `result` is called when the whole group
   * is decided.
   */
  decide(book: SeatBook, now: Date): { result: () => T } | Refusal;
};

/** One queue per event, for every request that takes or frees seats. */
export type EventQueues = {
  /**
   * Decides the request in a group with others. Resolves after the commit.
   * @throws Refused as the request decides; `busy` if the queue is full or the group had too many write conflicts
   */
  submit<T>(scope: Scope, event_id: string, request: SeatRequest<T>, recordReply?: RecordReply<T>): Promise<T>;
};

/** The dependencies of every change of seats. */
export type SeatDeps = Pick<RegistrationDeps, 'transactOnce' | 'clock' | 'events' | 'facts' | 'registrations'> & {
  contacts: Pick<ContactStore, 'findTies'>;
};

export type EventQueueDeps = SeatDeps & { idempotency: IdempotencyStore };

/** The counters as counted from the registrations. */
export type SeatCounts = Record<SeatCounter, number> & {
  /** seats taken by people whom staff registered past the capacity */
  overridden: number;
  last_waitlist_number: number;
};

export type SeatAuditStore = {
  /** Ids of all events that are not deleted, in order. */
  findEventIds(after: string | null, limit: number): Promise<string[]>;
  /** Published future events with a free seat and a waitlist, but none that is held; served by an index of just these. */
  findEventsWithFreeSeats(limit: number): Promise<(Scope & { id: string })[]>;
  /** By event; none for an event without registrations. */
  countSeats(event_ids: readonly string[], tx: Tx): Promise<Map<string, SeatCounts>>;
};
