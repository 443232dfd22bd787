import type { Clock } from '../../core/clock.ts';
import type { EventStore } from '../../events/ports.ts';
import { FACT_VERSION, type Fact } from '../../outbox/fact.ts';
import type { FactStore } from '../../outbox/ports.ts';
import type { Delivery } from '../delivery.ts';
import { corrections } from '../policy/corrections.ts';
import { draftDeliveries, mergedRow, type Occasion, oneRowPerKey } from '../policy/draft-deliveries.ts';
import { bringsMore, joined } from '../policy/readers.ts';
import type { Recipient } from '../policy/recipients.ts';
import { type Channel, ruleOf, triggerOf } from '../policy/trigger.ts';
import type { DeliveryQueue, DeliveryStore } from '../ports.ts';
import { type AddressLimit, limitGivenAddresses } from './address-limit.ts';
import { type AudienceDeps, nextRecipients } from './audience-cursor.ts';
import { type AtOnce, type AtOnceDeps, atOnce } from './direct-inbox-write.ts';
import { enqueue } from './enqueue.ts';
import type { Tellings } from './inbox-lock.ts';
import { remindersForLateRegistration } from './late-registrations.ts';
import { peopleOf } from './load-people.ts';

export type FanOutDeps = AudienceDeps & {
  clock: Clock;
  facts: FactStore;
  events: EventStore;
  deliveries: DeliveryStore;
  addressLimit: AddressLimit;
  deliveryQueue: DeliveryQueue;
  /** channels that have settings; the others are recorded as `channel_off` */
  openChannels: ReadonlySet<Channel>;
  textVersion?: Occasion['textVersion'];
  /** what other fan-outs put into inboxes past the queue; without it nothing is */
  tellings?: Pick<Tellings, 'stop' | 'forget'>;
  /** the inbox, for what this one puts there at once; without it all goes over the queue */
  inApp?: AtOnceDeps | undefined;
};

/** How long one fact is worked on at a time; then it is the turn of others. */
const TURN_MS = 1_000;

/** `left`: its turn was over before it was done. */
export type FannedOut = { rows: number; left: boolean };

/**
 * Fact → trigger → recipients → one delivery per person and channel → queues. Comes in: a fact's id. Guaranteed: every
 * recipient has a row when the fact is worked off. May repeat any part: keys are unique, and the checkpoint moves only
 * after rows exist. Where much is to be done others have their turn in between.
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
  const occasion = occasionOf(deps, { fact, trigger, event, school });
  if (isLaterWord(fact, trigger)) await deps.tellings?.stop(event.id, fact.id);
  const inApp = deps.inApp ? atOnce(deps.inApp, occasion) : null;
  const done = await fannedOut(deps, occasion, until, inApp).finally(() => inApp?.end());
  if (!done.left) await deps.tellings?.forget(fact.id);
  return done;
}

/** Whether it says more than what may be on its way: none of that may come after it. */
const isLaterWord = (fact: Fact, trigger: Occasion['trigger']): boolean =>
  ruleOf(trigger).recipients === 'registered' || (fact.type === 'event.published' && fact.data.sequence > 1);

async function fannedOut(
  deps: FanOutDeps,
  occasion: Occasion,
  until: number,
  inApp: AtOnce | null,
): Promise<FannedOut> {
  const { fact } = occasion;
  let rows = 0;
  const put = async (ready: Ready, next: string | null, previous: Promise<void>) => {
    // What goes into inboxes at once goes beside what is stored of the batch before; the rest comes after it.
    const left = ready.tell?.();
    left?.catch(() => {});
    await previous;
    rows += await stored(deps, { ...ready, rows: left ? await left : ready.rows });
    if (next !== null) await deps.facts.saveCheckpoint(fact.id, next);
  };
  let before = Promise.resolve();
  let storing = Promise.resolve();
  try {
    let reading = nextRecipients(deps, occasion, await deps.facts.loadCheckpoint(fact.id));
    for (;;) {
      const { recipients, next } = await reading;
      // While batches are stored the next is made, and the one after that is read.
      if (next !== null) reading = nextRecipients(deps, occasion, next);
      reading.catch(() => {});
      const ready = await madeReady(deps, occasion, recipients, inApp);
      await before;
      before = storing;
      storing = put(ready, next, before);
      storing.catch(() => {});
      if (next === null) break;
      if (deps.clock.now().getTime() >= until) {
        await storing;
        return { rows, left: true };
      }
    }
    await storing;
  } finally {
    await storing.catch(() => {});
  }
  const now = deps.clock.now();
  for await (const drafts of corrections(deps, occasion, now)) rows += await store(deps, drafts, now);
  const reminders = await remindersForLateRegistration(deps, occasion, now);
  if (reminders.length > 0) rows += await store(deps, reminders, now);
  await deps.facts.markProcessed(fact.id);
  return { rows, left: false };
}

/** What is told, and with what it can be told here. */
export const occasionOf = (
  { openChannels, textVersion }: Pick<FanOutDeps, 'openChannels' | 'textVersion'>,
  told: Omit<Occasion, 'openChannels' | 'textVersion'>,
): Occasion => ({ ...told, openChannels, ...(textVersion ? { textVersion } : {}) });

/** Rows of one batch, one for each key, and how those are told that need no queue. */
type Ready = ReturnType<typeof oneRowPerKey> & {
  now: Date;
  drafted: number;
  tell?: (() => Promise<Delivery[]>) | undefined;
};

async function madeReady(
  deps: FanOutDeps,
  occasion: Occasion,
  recipients: readonly Recipient[],
  inApp: AtOnce | null,
): Promise<Ready> {
  const now = deps.clock.now();
  if (recipients.length === 0) return { rows: [], merged: [], now, drafted: 0 };
  const people = await peopleOf(deps, occasion, recipients);
  const drafts = draftDeliveries(occasion, recipients, people, now);
  const unique = oneRowPerKey(drafts);
  const tell = await inApp?.judged(unique.rows, people.wishes ?? new Map());
  return { ...unique, now, drafted: drafts.length, tell };
}

export const store = (deps: FanOutDeps, drafts: readonly Delivery[], now: Date): Promise<number> =>
  stored(deps, { ...oneRowPerKey(drafts), now, drafted: drafts.length });

/** Inserts the rows, then queues those that fit; the relay's refill finds the others, and what a crash left unqueued. */
async function stored(deps: FanOutDeps, ready: Omit<Ready, 'tell'>): Promise<number> {
  const { merged, now, drafted } = ready;
  const rows = await limitGivenAddresses(deps.addressLimit, ready.rows, now);
  const dueNow = rows.filter((row) => row.due_at <= now);
  const room = await enqueue.room(deps, dueNow);
  const queued = enqueue.dated(rows, room, await enqueue.roomAhead(deps, rows, now), now);
  const { collided } = await deps.deliveries.insertMany(queued);
  const holders = new Map(collided.map((row) => [row.id, row]));
  const isStranger = (row: Delivery) => (holders.get(row.id)?.user_id ?? row.user_id) !== row.user_id;
  const notTold = [
    ...merged.filter((row) => holders.get(row.id)?.user_id !== row.user_id),
    ...queued.filter(isStranger),
  ];
  if (notTold.length > 0) await deps.deliveries.insertMany(notTold.map((row) => mergedRow(row, now)));
  // An address of this batch that one before it has written to: what is still waiting there speaks of these too.
  const more = queued.flatMap((row) => {
    const holder = holders.get(row.id);
    return holder && bringsMore(holder, row) ? [joined(holder, row)] : [];
  });
  if (more.length > 0) await deps.deliveries.join(more);
  await enqueue.rows(
    deps,
    queued.filter((row) => row.queued_at !== null && !holders.has(row.id)),
    deps.clock.now(),
  );
  return drafted;
}
