import type { EventStore } from '../events/ports.ts';
import type { FactStore } from '../facts/ports.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Transact, Tx } from '../kernel/transaction.ts';
import type { Scope } from '../people/caller.ts';
import type { ContactStore } from '../people/ports.ts';
import type { Registration, RegistrationKind, RegistrationStatus } from './registration.ts';

export type RegistrationStore = {
  find(scope: Scope, event_id: string, id: string, tx?: Tx): Promise<Registration | null>;
  /** The one registration of a person that is not cancelled. */
  findActive(scope: Scope, event_id: string, user_id: string, tx?: Tx): Promise<Registration | null>;
  findMany(scope: Scope, ids: readonly string[]): Promise<Registration[]>;
  insert(registration: Registration, tx: Tx): Promise<void>;
  replace(registration: Registration, tx: Tx): Promise<void>;
  /** Those who wait, in order of joining; at most `limit`. */
  firstWaiting(scope: Scope, event_id: string, limit: number, tx?: Tx): Promise<Registration[]>;
  /** How many wait ahead of this waitlist number. */
  countAhead(scope: Scope, event_id: string, waitlist_number: number, tx?: Tx): Promise<number>;
  page(
    scope: Scope,
    event_id: string,
    query: { status?: RegistrationStatus; kind?: RegistrationKind; after?: string; limit: number },
  ): Promise<Registration[]>;
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
  clock: Clock;
  events: EventStore;
  facts: FactStore;
  contacts: ContactStore;
  registrations: RegistrationStore;
};
