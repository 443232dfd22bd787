import { byId, groupBy } from '../core/groups.ts';
import { type Tx, WriteConflict } from '../core/transaction.ts';
import type { SchoolEvent } from '../events/event.ts';
import type { EventChange, EventDeps } from '../events/ports.ts';
import { findSeriesSizeFaults } from '../events/reshape-series.ts';
import type { NewFact } from '../outbox/fact.ts';
import { type Caller, type Scope, scopeOf } from '../people/caller.ts';
import type { School } from '../people/school.ts';
import type { RegistrationStore } from '../registrations/ports.ts';
import type { Registration } from '../registrations/registration.ts';
import {
  eventIdOf,
  type Item,
  type ItemOutcome,
  type LeftOut,
  type MarkedItem,
  marked,
  type ReportedType,
} from './item.ts';
import { reportedEvent } from './reported-event.ts';
import { mergeReported, seatAll } from './reported-registrations.ts';

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
  /** The ids of events by item, of the items that were ingested before. */
  findEventIds(scope: Scope, item_ids: readonly string[], tx: Tx): Promise<Map<string, string>>;
  /** @throws WriteConflict if one of them was ingested meanwhile */
  record(items: readonly IngestedItem[], tx: Tx): Promise<void>;
};

type IngestDeps = EventDeps & { registrations: RegistrationStore; ingested: IngestStore };

/** Series and single events processed in parallel. */
const CONCURRENCY = 4;

/**
 * Ingests reports of another lifecycle service: items of any events, in any order. All items of one event are stored with
 * their effects in one transaction; an older report never overrides a newer one; no event is overbooked. May be repeated:
 * items ingested before are answered `duplicate`.
 * @returns an outcome for each item, in their order
 * @throws Refused `busy`
 */
export async function ingest(deps: IngestDeps, caller: Caller, items: readonly Item[]): Promise<ItemOutcome[]> {
  const school = await deps.schools.find(scopeOf(caller));
  const once = [...byId(items.toReversed()).values()].reverse();
  // A series is processed in sequence, so that each occurrence counts towards the size of the series for the next one.
  const series = groupBy(once, ({ event }) => event.parent_event_id ?? event.id);
  const outcomes = new Map<string, ItemOutcome>();
  const work = async (): Promise<void> => {
    for (let one = series.shift(); one; one = series.shift()) {
      for (const group of groupBy(one, ({ event }) => event.id)) {
        const ingested = await deps.transact((tx) => ingestGroup(deps, caller, school, group, tx));
        for (const [id, outcome] of ingested) outcomes.set(id, outcome);
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  const seen = new Set<string>();
  return items.map(({ id }) => {
    const outcome = outcomes.get(id) as ItemOutcome;
    const again = seen.has(id);
    seen.add(id);
    return again && outcome.status === 'accepted' ? { status: 'duplicate', event_id: outcome.event_id } : outcome;
  });
}

/** Ingests the items of one event, oldest first. */
async function ingestGroup(deps: IngestDeps, caller: Caller, school: School, group: readonly Item[], tx: Tx) {
  const scope = scopeOf(caller);
  const now = deps.clock.now();
  const outcomes = new Map<string, ItemOutcome>();
  const ids = group.map(({ id }) => id);
  // In sequence, because a MongoDB transaction does not support parallel commands.
  for (const [id, event_id] of await deps.ingested.findEventIds(scope, ids, tx))
    outcomes.set(id, { status: 'duplicate', event_id });
  const fresh = group
    .filter(({ id }) => !outcomes.has(id))
    .map((item) => marked(item, now))
    .sort((a, b) => (a.mark < b.mark ? -1 : 1));
  const [first] = fresh;
  if (!first) return outcomes;
  const event_id = eventIdOf(scope, first.event.id);
  // The latest report of a deleted event still counts.
  const [before = null] = await deps.events.findWithDeleted(scope, [event_id], tx);
  const known = byId(before ? await deps.registrations.listOfEvent(scope, event_id, tx) : []);

  let event: SchoolEvent | null = before;
  const rows = new Map<string, Registration>(known);
  const facts: NewFact[] = [];
  const accepted: Accepted[] = [];
  for (const item of fresh) {
    const superseded = event?.origin != null && event.origin.mark > item.mark;
    if (!superseded) {
      const result = await applyReport(deps, { before, event, item, caller, school, now }, tx);
      if ('faults' in result) {
        const errors = result.faults.map((fault) => ({ ...fault, pointer: `/event${fault.pointer}` }));
        outcomes.set(item.id, { status: 'rejected', errors });
        continue;
      }
      event = result.after;
      facts.push(...result.facts);
    }
    accepted.push({ item, superseded, registration_ids: mergeReported(rows, event_id, item, caller) });
  }
  if (!event || accepted.length === 0) return outcomes;

  const seated = seatAll(event, known, rows, caller, now);
  for (const { item, superseded, registration_ids } of accepted) {
    const left_out = leftOut(registration_ids, rows, seated.seats);
    outcomes.set(item.id, { status: 'accepted', event_id, superseded, left_out });
  }
  if (event !== before || seated.changed.length > 0) {
    const version = (before?.version ?? 0) + 1;
    await store(deps, { before, after: { ...seated.event, version }, changed: seated.changed }, tx);
  }
  const by = { ...scope, event_id, source: caller.user_id, at: now };
  const ingested = accepted.map(({ item, superseded }): IngestedItem => {
    return { ...by, item_id: item.id, type: item.type, mark: item.mark, superseded };
  });
  await deps.ingested.record(ingested, tx);
  await deps.facts.record([...facts, ...seated.facts], tx);
  return outcomes;
}

/** `registration_ids`: those that the report names */
type Accepted = { item: MarkedItem; superseded: boolean; registration_ids: string[] };

type Report = Parameters<typeof reportedEvent>[2] & {
  before: SchoolEvent | null;
  event: SchoolEvent | null;
  item: MarkedItem;
};

/** The event after a report, also checked against the size of its series. */
async function applyReport(
  deps: IngestDeps,
  { before, event, item, ...by }: Report,
  tx: Tx,
): Promise<ReturnType<typeof reportedEvent>> {
  const result = reportedEvent(event, item, by);
  if ('faults' in result) return result;
  const faults = await findSeriesSizeFaults(deps, [{ before, after: result.after }], tx);
  return faults.length > 0 ? { faults } : result;
}

type Stored = EventChange & { changed: readonly Registration[] };

/** Writes the event's row first, because other processes conflict there. */
async function store(deps: IngestDeps, { before, after, changed }: Stored, tx: Tx): Promise<void> {
  if (!before) await deps.events.insert([after], tx);
  else if (!(await deps.events.replaceMany([{ before, after }], tx))) throw new WriteConflict('the event has changed');
  if (changed.length > 0) await deps.registrations.putMany(changed, tx);
  await deps.onEventsChanged([{ before, after }], tx);
}

function leftOut(
  ids: readonly string[],
  rows: ReadonlyMap<string, Registration>,
  seats: ReturnType<typeof seatAll>['seats'],
): LeftOut[] {
  return ids.flatMap((id) => {
    const seat = seats.get(id);
    if (!seat?.leftOut) return [];
    const registration_id = rows.get(id)?.origin?.external_id ?? id;
    return [{ registration_id, code: seat.leftOut, status: seat.status }];
  });
}
