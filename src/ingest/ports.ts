import type { Tx } from '../core/transaction.ts';
import type { SchoolEvent } from '../events/event.ts';
import type { EventDeps, EventStore } from '../events/ports.ts';
import type { Scope } from '../people/caller.ts';
import type { Registration } from '../registrations/registration.ts';
import type { ReportedType } from './item.ts';

/** An item that was taken in, so that it is taken in once. */
export type TakenIn = Scope & {
  item_id: string;
  event_id: string;
  type: ReportedType;
  mark: string;
  /** a newer report of the event was here already, which it left as it is */
  superseded: boolean;
  source: string;
  at: Date;
};

export type IngestStore = {
  /** Those of these items that were taken in before, with their event. */
  known(scope: Scope, item_ids: readonly string[], tx?: Tx): Promise<Map<string, string>>;
  /** @throws WriteConflict where one of them is there by now */
  record(items: readonly TakenIn[], tx: Tx): Promise<void>;
  /** Also one that is deleted: what was reported of it still counts. */
  event(scope: Scope, id: string, tx?: Tx): Promise<SchoolEvent | null>;
  /** All of one event, cancelled ones included. */
  registrations(scope: Scope, event_id: string, tx: Tx): Promise<Registration[]>;
  /** Writes whole rows, new and known. @throws WriteConflict */
  putRegistrations(rows: readonly Registration[], tx: Tx): Promise<void>;
};

export type IngestDeps = Pick<EventDeps, 'transact' | 'clock' | 'facts' | 'schools' | 'onEventsChanged'> & {
  events: Pick<EventStore, 'insert' | 'replace'>;
  ingested: IngestStore;
};
