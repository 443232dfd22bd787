import { Refused } from '../core/errors.ts';
import { type Tx, WriteConflict } from '../core/transaction.ts';
import type { SchoolEvent } from '../events/event.ts';
import type { NewFact } from '../outbox/fact.ts';
import { type Caller, scopeOf } from '../people/caller.ts';
import { mustBeAllowed } from '../people/permissions.ts';
import type { School } from '../people/school.ts';
import type { Registration } from '../registrations/registration.ts';
import { eventIdOf, type Item, type LeftOut, markOf, type Outcome } from './item.ts';
import type { IngestDeps, TakenIn } from './ports.ts';
import { reported } from './reported.ts';
import { seatAll, withReported } from './roster.ts';

/** Events worked on at a time. */
const AT_ONCE = 4;
const TRIES = 10;

/**
 * Takes in what another lifecycle service reports: items of any events, in any order. Guaranteed: an item is stored
 * together with all that follows from it, those of one event in one transaction; an older report never changes what a
 * newer one said; nobody sits where no seat is. May be repeated as a whole: what was taken in before answers `duplicate`.
 * @returns an outcome for each item, in their order
 * @throws Refused `forbidden`, `busy`
 */
export async function ingest(deps: IngestDeps, caller: Caller, items: readonly Item[]): Promise<Outcome[]> {
  mustBeAllowed(caller, 'ingest');
  const school = await deps.schools.find(scopeOf(caller));
  const byEvent = new Map<string, Item[]>();
  for (const item of new Map([...items].reverse().map((one) => [one.id, one])).values()) {
    byEvent.set(item.event.id, [...(byEvent.get(item.event.id) ?? []), item]);
  }
  const outcomes = new Map<string, Outcome>();
  const groups = [...byEvent.values()];
  const work = async (): Promise<void> => {
    for (let group = groups.shift(); group; group = groups.shift()) {
      for (const [id, outcome] of await takeIn(deps, caller, school, group)) outcomes.set(id, outcome);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const told = new Set<string>();
  return items.map(({ id, event }) => {
    const outcome = outcomes.get(id) as Outcome;
    const again = told.has(id) && outcome.status === 'accepted';
    told.add(id);
    return again ? { status: 'duplicate', event_id: eventIdOf(caller, event.id) } : outcome;
  });
}

/** The items of one event, oldest first. */
async function takeIn(deps: IngestDeps, caller: Caller, school: School, group: Item[]): Promise<Map<string, Outcome>> {
  const inOrder = group.sort((a, b) => (markOf(a) < markOf(b) ? -1 : 1));
  for (let tries = 1; ; tries += 1) {
    try {
      return await deps.transact((tx) => takeInOnce(deps, caller, school, inOrder, tx));
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error;
      if (tries === TRIES)
        throw new Refused({
          code: 'busy',
          detail: 'Too many changes happen at once. Try again in a second.',
          retryAfter: 1,
        });
    }
  }
}

async function takeInOnce(deps: IngestDeps, caller: Caller, school: School, group: readonly Item[], tx: Tx) {
  const scope = scopeOf(caller);
  const now = deps.clock.now();
  const outcomes = new Map<string, Outcome>();
  const ids = group.map(({ id }) => id);
  // One after the other: a transaction takes no two commands at once.
  for (const [id, event_id] of await deps.ingested.known(scope, ids, tx)) {
    outcomes.set(id, { status: 'duplicate', event_id });
  }
  const open = group.filter(({ id }) => !outcomes.has(id));
  const [first] = open;
  if (!first) return outcomes;
  const event_id = eventIdOf(scope, first.event.id);
  const before = await deps.ingested.event(scope, event_id, tx);
  const known = new Map(
    (before ? await deps.ingested.registrations(scope, event_id, tx) : []).map((row) => [row.id, row]),
  );

  let event: SchoolEvent | null = before;
  const rows = new Map<string, Registration>(known);
  const facts: NewFact[] = [];
  const taken: TakenIn[] = [];
  const named = new Map<string, string[]>();
  for (const item of open) {
    const mark = markOf(item);
    const superseded = event?.origin != null && event.origin.mark > mark;
    if (!superseded) {
      const result = reported(event, item, { caller, school, now });
      if ('faults' in result) {
        outcomes.set(item.id, { status: 'rejected', errors: result.faults });
        continue;
      }
      event = result.after;
      facts.push(...result.facts);
    }
    named.set(item.id, withReported(rows, event_id, item, caller));
    const { id: item_id, type } = item;
    taken.push({ ...scope, item_id, event_id, type, mark, superseded, source: caller.user_id, at: now });
    outcomes.set(item_id, { status: 'accepted', event_id, superseded, left_out: [] });
  }
  if (!event || taken.length === 0) return outcomes;

  const seated = seatAll(event, known, rows, caller, now);
  for (const [item_id, registration_ids] of named) {
    const outcome = outcomes.get(item_id);
    if (outcome?.status === 'accepted') outcome.left_out = leftOut(registration_ids, rows, seated.seats);
  }
  const isChanged = event !== before || seated.changed.length > 0;
  if (isChanged) {
    const version = before ? before.version + 1 : 1;
    await store(deps, { before, after: { ...seated.event, version }, changed: seated.changed }, tx);
  }
  await deps.ingested.record(taken, tx);
  const all = [...facts, ...seated.facts];
  if (all.length > 0) await deps.facts.record(all, tx);
  return outcomes;
}

type Stored = { before: SchoolEvent | null; after: SchoolEvent; changed: readonly Registration[] };

/** The event's row first: it is what others compete for. */
async function store(deps: IngestDeps, { before, after, changed }: Stored, tx: Tx): Promise<void> {
  if (!before) await deps.events.insert([after], tx);
  else if (!(await deps.events.replace(after, before.version, tx))) throw new WriteConflict('the event has changed');
  if (changed.length > 0) await deps.ingested.putRegistrations(changed, tx);
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
