import type { Clock } from '../core/clock.ts';
import type { Refusal } from '../core/errors.ts';
import type { IdempotencyRecord, IdempotencyStore } from '../core/idempotency-record.ts';
import type { Transact, TransactOnce, Tx } from '../core/transaction.ts';
import type { EventStore } from '../events/ports.ts';
import type { ConfirmedEvents } from '../events/rules/meeting.ts';
import type { FactStore } from '../outbox/ports.ts';
import type { Scope } from '../people/caller.ts';
import type { ContactStore } from '../people/ports.ts';
import type { Registration, RegistrationKind, RegistrationStanding, RegistrationStatus } from './registration.ts';
import type { Sheet } from './seat-book.ts';
import type { SeatCounts } from './seat-faults.ts';

export type RosterFilter = { status?: RegistrationStatus; kind?: RegistrationKind };

/** How many there are of one status and kind, and how many of them have come. */
export type RosterCount = { status: RegistrationStatus; kind: RegistrationKind; count: number; checked_in: number };

export type RegistrationStore = {
  find(scope: Scope, event_id: string, id: string, tx?: Tx): Promise<Registration | null>;
  /** For links that name a registration and nothing else. */
  findAnywhere(id: string): Promise<Registration | null>;
  findMany(scope: Scope, ids: readonly string[]): Promise<Registration[]>;
  /** Of those that exist. */
  standings(scope: Scope, ids: readonly string[]): Promise<RegistrationStanding[]>;
  /** Of one event: those with these ids, and the active ones of these people; `since`: also those they made after it. */
  findAmong(
    scope: Scope,
    event_id: string,
    wanted: { ids: readonly string[]; user_ids: readonly string[]; since?: Date },
    tx?: Tx,
  ): Promise<Registration[]>;
  /** All of one person, ended ones too. */
  ofPerson(scope: Scope, event_id: string, user_id: string): Promise<Registration[]>;
  /** @throws WriteConflict where one of these people has an active registration of this event already */
  insertMany(registrations: readonly Registration[], tx: Tx): Promise<void>;
  /** Writes what a decision changes, on rows that still have the status it was made on. @throws WriteConflict */
  changeMany(changes: readonly { before: Registration; after: Registration }[], tx: Tx): Promise<void>;
  /** Those who wait, in order of joining; at most `limit`. */
  firstWaiting(scope: Scope, event_id: string, limit: number, tx?: Tx): Promise<Registration[]>;
  /** The places (1 is next) of these waitlist numbers, of those that still wait. */
  placesOf(scope: Scope, event_id: string, numbers: readonly number[]): Promise<Map<number, number>>;
  page(
    scope: Scope,
    event_id: string,
    query: RosterFilter & { after?: string; limit: number },
  ): Promise<Registration[]>;
  /** How many of each status and kind there are, where there are any. */
  tally(scope: Scope, event_id: string): Promise<RosterCount[]>;
  confirmedEvents: ConfirmedEvents;
  /** Ordered by id, strictly after `after`: the fan-out's cursor. */
  pageAfter(
    scope: Scope,
    event_id: string,
    statuses: readonly RegistrationStatus[],
    after: string | null,
    limit: number,
  ): Promise<Registration[]>;
};

export type RegistrationDeps = {
  transact: Transact;
  transactOnce: TransactOnce;
  clock: Clock;
  events: EventStore;
  facts: FactStore;
  contacts: ContactStore;
  registrations: RegistrationStore;
};

/** Something that may take or free seats of one event; decided on its sheet together with others. */
export type SeatRequest<T> = {
  /** what must be on the sheet */
  needs: {
    user_ids?: readonly string[];
    ids?: readonly string[];
    /** how many may move up because of it */
    moves?: number;
  };
  /** Pure but for the sheet; may be asked again on a fresh one. `tell` is called when the whole group is decided. */
  decide(sheet: Sheet, now: Date): { tell: () => T } | Refusal;
};

/** What is to be stored as the answer to a request with a key, in the transaction of its change. */
export type Keep<T> = (result: T) => IdempotencyRecord;

/** One queue per event: whoever takes or frees a seat asks here. */
export type EventQueues = {
  /**
   * Resolves after the commit of the group the request was decided in.
   * @throws Refused with what was decided, or `busy`: too many wait, and nothing was done
   */
  ask<T>(scope: Scope, event_id: string, request: SeatRequest<T>, keep?: Keep<T>): Promise<T>;
};

export type EventQueueDeps = Pick<RegistrationDeps, 'transactOnce' | 'clock' | 'events' | 'facts' | 'registrations'> & {
  idempotency: Pick<IdempotencyStore, 'finishMany'>;
};

/** What the audit of seats reads. */
export type SeatAuditStore = {
  /** All events that are not deleted, by id. */
  eventsAfter(after: string | null, limit: number): Promise<(Scope & { id: string })[]>;
  /** Published ones ahead in which people wait although a seat is free, by an index that holds nothing else. */
  eventsWithFreeSeats(limit: number): Promise<(Scope & { id: string })[]>;
  counts(scope: Scope, event_id: string, tx?: Tx): Promise<SeatCounts>;
};
