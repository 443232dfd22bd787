import { byId } from '../../core/groups.ts';
import { hashOf } from '../../core/ids.ts';
import { isHeld } from '../../events/held-change.ts';
import { FACT_VERSION } from '../../outbox/fact.ts';
import type { FactPart, FactQueue } from '../../outbox/ports.ts';
import type { Channel } from '../../people/channels.ts';
import { loadReaders } from '../delivery/readers.ts';
import type { Delivery } from '../delivery.ts';
import { draftDeliveries, mergedRow, type Occasion, oneRowPerKey } from '../policy/draft-deliveries.ts';
import { addsReaders, type Recipient, withReadersOf } from '../policy/recipients.ts';
import { ruleOf } from '../policy/trigger-table.ts';
import type { DeliveryQueue } from '../ports.ts';
import { EVERYONE, eachBatch, loadNextRecipients, splitRecipients } from './audience-cursor.ts';
import { enqueue, markQueued } from './enqueue.ts';
import { draftCorrections, draftLateReminders } from './follow-ups.ts';
import { completeInApp, type InAppDeps, type Readers } from './in-app.ts';
import { loadOccasion, loadPeople } from './load-occasion.ts';

export type FanOutDeps = InAppDeps & {
  factQueue: Pick<FactQueue, 'publishParts'>;
  addressLimit: AddressLimit;
  deliveryQueue: DeliveryQueue;
  /** channels that have settings; messages on others are recorded as `channel_off` */
  openChannels: ReadonlySet<Channel>;
  /** Called after in-app messages were stored that are due later. */
  onInAppDeferred(): void;
};

/**
 * Fact → trigger → recipients → one delivery per person and channel → queues. Recipients beyond the first batch are split
 * into parts, which any fan-out process drafts. Marks the fact as processed after every recipient has a row. May be repeated
 * at any point: keys are unique, and the checkpoint of a part moves only after rows exist.
 * @param part only this part, after `fanOut` without one has split the fact
 * @returns how many rows were drafted
 */
export async function fanOut(deps: FanOutDeps, fact_id: string, part?: number): Promise<number> {
  const found = await deps.facts.findWithParts(fact_id);
  if (found && found.fact.v > FACT_VERSION) return 0; // left for a newer process
  const occasion = found && (await loadOccasion(deps, found.fact));
  if (!found || !occasion) {
    await deps.facts.markProcessed(fact_id);
    return 0;
  }
  // An undo may restore the audience: the relay publishes the fact again.
  if (occasion.dates.some(({ event }) => isHeld(event, deps.clock.now()))) {
    await deps.facts.reopen(fact_id);
    return 0;
  }
  const { parts } = found;
  if (part !== undefined) return fanOutPart(deps, occasion, part, parts[part]);
  return parts.length > 0 ? publishParts(deps, occasion, parts) : fanOutFirst(deps, occasion);
}

/** Drafts the first batch, which for most facts is all, and splits the recipients after it. */
async function fanOutFirst(deps: FanOutDeps, occasion: Occasion): Promise<number> {
  const { recipients, next } = await loadNextRecipients(deps, occasion, EVERYONE);
  const rows = await storeBatch(deps, occasion, recipients);
  if (next === null) return rows + (await finish(deps, occasion));
  const parts = await deps.facts.split(occasion.fact.id, await splitRecipients(deps, occasion, next));
  return rows + (await publishParts(deps, occasion, parts));
}

/** Publishes the parts that are not finished, or finishes the fact if a process ended before it could. */
async function publishParts(deps: FanOutDeps, occasion: Occasion, parts: readonly FactPart[]): Promise<number> {
  const open = [...parts.keys()].filter((n) => !parts[n]?.done);
  if (open.length === 0) return finish(deps, occasion);
  await deps.factQueue.publishParts({ ...occasion.fact, urgent: ruleOf(occasion.trigger).urgent }, open);
  return 0;
}

async function fanOutPart(deps: FanOutDeps, occasion: Occasion, part: number, range?: FactPart): Promise<number> {
  if (!range || range.done) return 0;
  const { id } = occasion.fact;
  let rows = 0;
  for await (const { recipients, next } of eachBatch(deps, occasion, range)) {
    rows += await storeBatch(deps, occasion, recipients);
    if (next !== null) await deps.facts.saveCheckpoint(id, part, next);
  }
  const isLast = await deps.facts.finishPart(id, part);
  return rows + (isLast ? await finish(deps, occasion) : 0);
}

/** Drafts what needs the rows of all recipients, and marks the fact as processed. @returns how many rows were drafted */
async function finish(deps: FanOutDeps, occasion: Occasion): Promise<number> {
  const now = deps.clock.now();
  let rows = 0;
  const store = async (of: Occasion, drafts: readonly Delivery[]) =>
    storeRows(deps, of, drafts, now, await loadReaders(deps, of.event, drafts));
  for await (const drafts of draftCorrections(deps, occasion, now)) rows += await store(occasion, drafts);
  for await (const { reminder, drafts } of draftLateReminders(deps, occasion, now))
    rows += await store(reminder, drafts);
  await deps.facts.markProcessed(occasion.fact.id);
  return rows;
}

/** @returns how many rows were drafted */
async function storeBatch(deps: FanOutDeps, occasion: Occasion, recipients: readonly Recipient[]): Promise<number> {
  if (recipients.length === 0) return 0;
  const now = deps.clock.now();
  const people = await loadPeople(deps, occasion, recipients);
  const drafts = draftDeliveries(occasion, recipients, people, now);
  return storeRows(deps, occasion, drafts, now, people);
}

/**
 * Inserts the rows, then queues as many as have capacity. The relay's refill finds the others, and those that a crash
 * left unqueued.
 * @param readers of the drafts
 * @returns how many rows were drafted
 */
async function storeRows(
  deps: FanOutDeps,
  occasion: Occasion,
  drafts: readonly Delivery[],
  now: Date,
  readers: Readers,
): Promise<number> {
  const { rows: unique, merged } = oneRowPerKey(drafts);
  const inApp = await completeInApp(deps, occasion, unique, now, readers);
  const limited = await limitGivenAddresses(deps.addressLimit, inApp.rows, now);
  const rows = await markQueued(deps, limited, now);
  const { collided } = await deps.deliveries.insertMany(rows);
  if (rows.some((row) => row.channel === 'in_app' && row.status === 'waiting')) deps.onInAppDeferred();
  const existing = byId(collided);
  const isLate = await storeMerged(deps, rows, merged, existing, now);
  const late = drafts.filter(isLate).map(nextRow);
  if (late.length > 0) await storeRows(deps, occasion, late, now, readers);
  for (const row of rows) {
    const result = inApp.results.get(row.id);
    if (result && !existing.has(row.id)) deps.report(result, row);
  }
  const queued = rows.filter((row) => row.queued_at !== null && !existing.has(row.id));
  await enqueue(deps, queued, deps.clock.now());
  // Includes rows that existed, because the process that inserted them may have died before its signal.
  await deps.inbox.signalArrivals(rows.filter((row) => inApp.results.get(row.id)?.to === 'sent'));
  return drafts.length;
}

/** The row after one to the same address that can’t name more people: the same people always give the same row. */
const nextRow = (row: Delivery): Delivery => ({ ...row, id: hashOf('next', row.id) });

/**
 * Stores a skipped row for each person whose message is sent in the row of another person with the same address. Adds to the
 * rows of earlier batches, if they still wait, what this batch drafted under the same keys: readers, and people they stand for.
 * @param merged drafts that were merged into `rows`
 * @param existing by id, the rows that were there before `rows`
 * @returns whether a draft is about a registration that an earlier row can't name any more: it needs a row of its own
 */
async function storeMerged(
  { deliveries }: FanOutDeps,
  rows: readonly Delivery[],
  merged: readonly Delivery[],
  existing: ReadonlyMap<string, Delivery>,
  now: Date,
): Promise<(draft: Delivery) => boolean> {
  const adding = rows.flatMap((row) => {
    const earlier = existing.get(row.id);
    if (!earlier) return [];
    // A person may have chosen an earlier meeting since.
    const isDueEarlier = row.due_at > now && row.due_at < earlier.due_at;
    return isDueEarlier || addsReaders(earlier, row) ? withReadersOf(earlier, row) : [];
  });
  const current = byId(adding.length > 0 ? await deliveries.mergeReaders(adding) : []);
  const isNotNamed = (row: Delivery) => addsReaders(current.get(row.id) ?? row, row);
  const isLate = (row: Delivery) => row.registration_ids.length > 0 && isNotNamed(row);
  const isOfAnother = (row: Delivery) => existing.get(row.id)?.user_id !== row.user_id;
  const inOtherRows = [
    ...merged.filter(isOfAnother),
    ...rows.filter((row) => existing.has(row.id) && (isOfAnother(row) || isNotNamed(row))),
  ];
  const notSent = inOtherRows.filter((row) => !isLate(row));
  const reasonOf = ({ id }: Delivery) => current.get(id)?.reason ?? 'same_address';
  if (notSent.length > 0)
    await deliveries.insertMany(notSent.map((row) => ({ ...mergedRow(row, now), reason: reasonOf(row) })));
  return isLate;
}

/** Messages in 24 hours to one unverified address, for each person who gave it. */
const MESSAGES_PER_GIVEN_ADDRESS = 5;

/** Counts messages to unverified addresses, across all processes. */
export type AddressLimit = {
  /**
   * Counts these messages, each once however often it is passed.
   * @returns the ids of those within the limit of 24 hours, by the database's clock
   */
  take(rows: readonly Delivery[], limit: number): Promise<ReadonlySet<string>>;
  /** Answers as `take` would, in the order of calls, and writes nothing. */
  preview(): Pick<AddressLimit, 'take'>;
};

/**
 * Skips messages over the limit to unverified addresses: a registration may name a stranger's address. The address that an
 * event gives for its organizer gets every answer to its text messages.
 * Reads and writes nothing if all addresses come from the directory.
 */
export async function limitGivenAddresses(
  limit: Pick<AddressLimit, 'take'>,
  rows: readonly Delivery[],
  now: Date,
): Promise<readonly Delivery[]> {
  const isCounted = ({ given_by, status, trigger }: Delivery) =>
    given_by !== null && status === 'waiting' && ruleOf(trigger).recipients !== 'organizer';
  const counted = rows.filter(isCounted);
  if (counted.length === 0) return rows;
  const within = await limit.take(counted, MESSAGES_PER_GIVEN_ADDRESS);
  const skipped = { status: 'skipped', reason: 'address_limit', settled_at: now } as const;
  return rows.map((row) => (isCounted(row) && !within.has(row.id) ? { ...row, ...skipped } : row));
}
