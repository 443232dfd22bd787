import type { Clock } from '../../core/clock.ts';
import type { EventStore } from '../../events/ports.ts';
import { FACT_VERSION, type Fact } from '../../outbox/fact.ts';
import type { FactStore } from '../../outbox/ports.ts';
import type { Delivery } from '../delivery.ts';
import { draftCorrections } from '../policy/corrections.ts';
import { draftDeliveries, mergedRow, type Occasion, oneRowPerKey } from '../policy/draft-deliveries.ts';
import { addsReaders, withReadersOf } from '../policy/readers.ts';
import type { Recipient } from '../policy/recipients.ts';
import { type Channel, ruleOf, triggerOf } from '../policy/trigger.ts';
import type { DeliveryQueue, DeliveryStore } from '../ports.ts';
import { type AddressLimit, limitGivenAddresses } from './address-limit.ts';
import { type AudienceDeps, loadNextRecipients } from './audience-cursor.ts';
import { type DirectInbox, type DirectInboxDeps, openDirectInbox } from './direct-inbox-write.ts';
import { enqueue } from './enqueue.ts';
import type { InboxLocks } from './inbox-lock.ts';
import { draftLateReminders } from './late-registrations.ts';
import { loadPeople } from './load-people.ts';

export type FanOutDeps = AudienceDeps & {
  clock: Clock;
  facts: FactStore;
  events: EventStore;
  deliveries: DeliveryStore;
  addressLimit: AddressLimit;
  deliveryQueue: DeliveryQueue;
  /** channels that have settings; messages on others are recorded as `channel_off` */
  openChannels: ReadonlySet<Channel>;
  textVersion?: Occasion['textVersion'];
  /** locks of other processes' direct inbox writes; needed where any process writes directly */
  inboxLocks?: Pick<InboxLocks, 'revoke' | 'forget'>;
  /** without it all in-app messages go over the queue */
  inApp?: DirectInboxDeps | undefined;
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
  if (supersedesEarlier(fact, trigger)) await deps.inboxLocks?.revoke(event.id, fact.id);
  const inApp = deps.inApp ? openDirectInbox(deps.inApp, occasion) : null;
  const done = await fanOutBatches(deps, occasion, until, inApp).finally(() => inApp?.end());
  if (!done.left) await deps.inboxLocks?.forget(fact.id);
  return done;
}

/** Whether messages of earlier facts of the event may not arrive after those of this fact. */
const supersedesEarlier = (fact: Fact, trigger: Occasion['trigger']): boolean =>
  ruleOf(trigger).recipients === 'registered' || (fact.type === 'event.published' && fact.data.sequence > 1);

async function fanOutBatches(
  deps: FanOutDeps,
  occasion: Occasion,
  until: number,
  inApp: DirectInbox | null,
): Promise<FannedOut> {
  const { fact } = occasion;
  let rows = 0;
  let cursor = await deps.facts.loadCheckpoint(fact.id);
  do {
    const { recipients, next } = await loadNextRecipients(deps, occasion, cursor);
    if (recipients.length > 0) rows += await storeBatch(deps, occasion, recipients, inApp);
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
async function storeBatch(
  deps: FanOutDeps,
  occasion: Occasion,
  recipients: readonly Recipient[],
  inApp: DirectInbox | null,
): Promise<number> {
  const now = deps.clock.now();
  const people = await loadPeople(deps, occasion, recipients);
  const drafts = draftDeliveries(occasion, recipients, people, now);
  return storeRows(deps, drafts, now, (rows) => inApp?.write(rows, people.wishes ?? new Map()) ?? rows);
}

/**
 * Inserts the rows, then queues as many as have capacity. The relay's refill finds the others, and those that a crash
 * left unqueued.
 * @param direct sends rows without the queue and returns those that are left
 * @returns how many rows were drafted
 */
async function storeRows(
  deps: FanOutDeps,
  drafts: readonly Delivery[],
  now: Date,
  direct: (rows: Delivery[]) => Delivery[] | Promise<Delivery[]> = (rows) => rows,
): Promise<number> {
  const unique = oneRowPerKey(drafts);
  const rows = await limitGivenAddresses(deps.addressLimit, await direct(unique.rows), now);
  const dueNow = rows.filter((row) => row.due_at <= now);
  const capacity = await enqueue.channelsWithCapacity(deps, dueNow);
  const queued = enqueue.dated(rows, capacity, await enqueue.channelsWithDelayedCapacity(deps, rows, now), now);
  const { collided } = await deps.deliveries.insertMany(queued);
  const holders = new Map(collided.map((row) => [row.id, row]));
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
  await enqueue.rows(
    deps,
    queued.filter((row) => row.queued_at !== null && !holders.has(row.id)),
    deps.clock.now(),
  );
  return drafts.length;
}
