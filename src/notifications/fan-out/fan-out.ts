import type { Clock } from '../../core/clock.ts';
import type { EventStore } from '../../events/ports.ts';
import { FACT_VERSION } from '../../outbox/fact.ts';
import type { FactStore } from '../../outbox/ports.ts';
import type { Delivery } from '../delivery.ts';
import { draftCorrections } from '../policy/corrections.ts';
import { draftDeliveries, mergedRow, type Occasion, oneRowPerKey, type People } from '../policy/draft-deliveries.ts';
import { addsReaders, withReadersOf } from '../policy/readers.ts';
import type { Recipient } from '../policy/recipients.ts';
import { type Channel, triggerOf } from '../policy/trigger.ts';
import type { DeliveryQueue, DeliveryStore } from '../ports.ts';
import { type AddressLimit, limitGivenAddresses } from './address-limit.ts';
import { type AudienceDeps, loadNextRecipients } from './audience-cursor.ts';
import { enqueue } from './enqueue.ts';
import { completeInApp, type InAppDeps } from './in-app.ts';
import { draftLateReminders } from './late-registrations.ts';
import { loadPeople } from './load-people.ts';

export type FanOutDeps = AudienceDeps &
  InAppDeps & {
    clock: Clock;
    facts: FactStore;
    events: EventStore;
    deliveries: DeliveryStore;
    addressLimit: AddressLimit;
    deliveryQueue: DeliveryQueue;
    /** channels that have settings; messages on others are recorded as `channel_off` */
    openChannels: ReadonlySet<Channel>;
    textVersion?: Occasion['textVersion'];
  };

/** How long one turn of a fact's fan-out lasts; then other facts get their turn. */
const TURN_MS = 1_000;

/** `left`: the turn ended before the last recipient. */
export type FannedOut = { rows: number; left: boolean };

/**
 * Fact → trigger → recipients → one delivery per person and channel → queues. Marks the fact as processed after every
 * recipient has a row. May be repeated at any point: keys are unique, and the checkpoint moves only after rows exist.
 */
export async function fanOut(deps: FanOutDeps, fact_id: string): Promise<FannedOut> {
  const until = deps.clock.now().getTime() + TURN_MS;
  const fact = await deps.facts.find(fact_id);
  if (fact && fact.v > FACT_VERSION) return { rows: 0, left: false }; // left for a newer process
  const trigger = fact && triggerOf(fact);
  const event = fact && trigger && (await deps.events.findAnywhere(fact.event_id));
  if (!event) {
    await deps.facts.markProcessed(fact_id);
    return { rows: 0, left: false };
  }
  const school = await deps.schools.find(event);
  const { openChannels, textVersion } = deps;
  const occasion: Occasion = { fact, trigger, event, school, openChannels, ...(textVersion ? { textVersion } : {}) };
  // The fact never changes, and the school may be as old as this turn. The gate reads the event anew for each batch.
  const facts: FactStore = {
    ...deps.facts,
    findMany: async (ids) => (ids.every((id) => id === fact.id) ? [fact] : deps.facts.findMany(ids)),
  };
  return fanOutBatches({ ...deps, facts, schools: { ...deps.schools, find: async () => school } }, occasion, until);
}

async function fanOutBatches(deps: FanOutDeps, occasion: Occasion, until: number): Promise<FannedOut> {
  const { fact } = occasion;
  let rows = 0;
  let cursor = await deps.facts.loadCheckpoint(fact.id);
  do {
    const { recipients, next } = await loadNextRecipients(deps, occasion, cursor);
    if (recipients.length > 0) rows += await storeBatch(deps, occasion, recipients);
    if (next !== null) {
      await deps.facts.saveCheckpoint(fact.id, next);
      if (deps.clock.now().getTime() >= until) return { rows, left: true };
    }
    cursor = next;
  } while (cursor !== null);
  const now = deps.clock.now();
  for await (const drafts of draftCorrections(deps, occasion, now)) rows += await storeRows(deps, drafts, now);
  const reminders = await draftLateReminders(deps, occasion, now);
  if (reminders.length > 0) rows += await storeRows(deps, reminders, now);
  await deps.facts.markProcessed(fact.id);
  return { rows, left: false };
}

/** @returns how many rows were drafted */
async function storeBatch(deps: FanOutDeps, occasion: Occasion, recipients: readonly Recipient[]): Promise<number> {
  const now = deps.clock.now();
  const people = await loadPeople(deps, occasion, recipients);
  const drafts = draftDeliveries(occasion, recipients, people, now);
  return storeRows(deps, drafts, now, people.wishes);
}

/**
 * Inserts the rows, then queues as many as have capacity. The relay's refill finds the others, and those that a crash
 * left unqueued.
 * @param wishes opt-outs by person, if known
 * @returns how many rows were drafted
 */
async function storeRows(
  deps: FanOutDeps,
  drafts: readonly Delivery[],
  now: Date,
  wishes?: People['wishes'],
): Promise<number> {
  const unique = oneRowPerKey(drafts);
  const inApp = await completeInApp(deps, unique.rows, now, wishes);
  const rows = await limitGivenAddresses(deps.addressLimit, inApp.rows, now);
  const dueNow = rows.filter((row) => row.due_at <= now);
  const capacity = await enqueue.channelsWithCapacity(deps, dueNow);
  const queued = enqueue.dated(rows, capacity, await enqueue.channelsWithDelayedCapacity(deps, rows, now), now);
  const { collided } = await deps.deliveries.insertMany(queued);
  const holders = new Map(collided.map((row) => [row.id, row]));
  // Also those that existed: a process that died before its signal left them.
  await deps.inbox.signalArrivals(queued.filter((row) => inApp.results.get(row.id)?.to === 'sent'));
  const isStranger = (row: Delivery) => (holders.get(row.id)?.user_id ?? row.user_id) !== row.user_id;
  const notSent = [
    ...unique.merged.filter((row) => holders.get(row.id)?.user_id !== row.user_id),
    ...queued.filter(isStranger),
  ];
  if (notSent.length > 0) await deps.deliveries.insertMany(notSent.map((row) => mergedRow(row, now)));
  // An earlier batch may have a waiting row for the same address: its message then also covers these people.
  const more = queued.flatMap((row) => {
    const holder = holders.get(row.id);
    return holder && addsReaders(holder, row) ? [withReadersOf(holder, row)] : [];
  });
  if (more.length > 0) await deps.deliveries.mergeReaders(more);
  for (const row of queued) {
    const result = inApp.results.get(row.id);
    if (result && !holders.has(row.id)) deps.report(result, row);
  }
  await enqueue.rows(
    deps,
    queued.filter((row) => row.queued_at !== null && !holders.has(row.id)),
    deps.clock.now(),
  );
  return drafts.length;
}
