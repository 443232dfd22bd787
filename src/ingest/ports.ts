import type { Tx } from '../core/transaction.ts';
import type { EventDeps, EventStore } from '../events/ports.ts';
import type { Scope } from '../people/caller.ts';
import type { RegistrationStore } from '../registrations/ports.ts';
import type { ReportedType } from './item.ts';

/** Record of an ingested item, so that it is ingested only once. */
export type IngestedItem = Scope & {
  item_id: string;
  event_id: string;
  type: ReportedType;
  mark: string;
  /** a newer report was ingested before, so this one changed nothing */
  superseded: boolean;
  source: string;
  at: Date;
};

export type IngestStore = {
  /** The items that were ingested before, with the ids of their events. */
  known(scope: Scope, item_ids: readonly string[], tx?: Tx): Promise<Map<string, string>>;
  /** @throws WriteConflict if one of them was ingested meanwhile */
  record(items: readonly IngestedItem[], tx: Tx): Promise<void>;
};

export type IngestDeps = Pick<EventDeps, 'transact' | 'clock' | 'facts' | 'schools' | 'onEventsChanged'> & {
  events: Pick<EventStore, 'findWithDeleted' | 'insert' | 'replaceMany' | 'seriesSize'>;
  registrations: Pick<RegistrationStore, 'listOfEvent' | 'putMany'>;
  ingested: IngestStore;
};
