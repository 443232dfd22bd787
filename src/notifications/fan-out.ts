import type { EventStore } from '../events/ports.ts';
import { FACT_VERSION, type Fact } from '../facts/fact.ts';
import type { FactStore } from '../facts/ports.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Contact } from '../people/contact.ts';
import type { ContactStore, PreferenceStore, PushSubscriptionStore, SchoolStore } from '../people/ports.ts';
import type { RegistrationStore } from '../registrations/ports.ts';
import type { Registration, RegistrationStatus } from '../registrations/registration.ts';
import { corrections, undoneSince } from './corrections.ts';
import type { Delivery } from './delivery.ts';
import { draftDeliveries, mergedRow, type Occasion, oneRowPerKey, type People } from './draft-deliveries.ts';
import { enqueue } from './enqueue.ts';
import { roomInTime } from './patience.ts';
import type { DeliveryQueue, DeliveryStore } from './ports.ts';
import { bringsMore, joined } from './readers.ts';
import { groupByGuardian, isInAudience, type Recipient, rolesOfAudience } from './recipients.ts';
import { type Channel, ruleOf, triggerOf } from './trigger.ts';

/** What is read to find out who a message is for. */
export type AudienceDeps = {
  schools: SchoolStore;
  contacts: ContactStore;
  preferences: Pick<PreferenceStore, 'findMany'>;
  pushSubscriptions: Pick<PushSubscriptionStore, 'findMany'>;
  registrations: RegistrationStore;
};

export type FanOutDeps = AudienceDeps & {
  clock: Clock;
  facts: FactStore;
  events: EventStore;
  deliveries: DeliveryStore;
  deliveryQueue: DeliveryQueue;
  /** channels that have settings; the others are recorded as `channel_off` */
  openChannels: ReadonlySet<Channel>;
  textVersion?: Occasion['textVersion'];
  /** Waits; without it a full window is not waited for. */
  pause?(ms: number): Promise<void>;
  /** Lets what is urgent in this process go first, for a while. */
  giveWay?(): Promise<void>;
};

/** Recipients read, turned into rows and put on queues at a time. */
const BATCH = 500;
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
    await deps.facts.markWorkedOff(fact_id);
    return { rows: 0, left: false };
  }
  const school = await deps.schools.find(event);
  const occasion = occasionOf(deps, { fact, trigger, event, school });
  const slow = new Set<Channel>();
  let rows = 0;
  let after = await deps.facts.checkpoint(fact.id);
  let reading = nextRecipients(deps, occasion, after);
  for (;;) {
    const batch = await reading;
    // The next are read while these are stored.
    if (batch.next !== null) reading = nextRecipients(deps, occasion, batch.next);
    reading.catch(() => {});
    if (batch.recipients.length > 0) {
      const now = deps.clock.now();
      const people = await peopleOf(deps, occasion, batch.recipients);
      rows += await store(deps, draftDeliveries(occasion, batch.recipients, people, now), now, slow);
    }
    if (batch.next === null) break;
    after = batch.next;
    await deps.facts.saveCheckpoint(fact.id, after);
    if (deps.clock.now().getTime() >= until) return { rows, left: true };
    if (!ruleOf(trigger).urgent) await deps.giveWay?.();
  }
  const now = deps.clock.now();
  for await (const drafts of corrections(deps, occasion, now)) rows += await store(deps, drafts, now, slow);
  await deps.facts.markWorkedOff(fact.id);
  return { rows, left: false };
}

/** What is told, and with what it can be told here. */
export const occasionOf = (
  { openChannels, textVersion }: Pick<FanOutDeps, 'openChannels' | 'textVersion'>,
  told: Omit<Occasion, 'openChannels' | 'textVersion'>,
): Occasion => ({ ...told, openChannels, ...(textVersion ? { textVersion } : {}) });

/** Rows first, then the wake-ups: what crashes in between is found by the reconciler. */
export async function store(
  deps: FanOutDeps,
  drafts: readonly Delivery[],
  now: Date,
  slow: Set<Channel>,
): Promise<number> {
  const { rows, merged } = oneRowPerKey(drafts);
  const room = await roomInTime(deps, rows, slow);
  const queued = rows.map((row) =>
    room.has(row.channel) && row.status === 'waiting' && row.due_at <= now ? { ...row, queued_at: now } : row,
  );
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
  );
  return drafts.length;
}

type Batch = { recipients: Recipient[]; next: string | null };

/** The next batch of those a fact is told to, after the given cursor. */
export async function nextRecipients(
  deps: AudienceDeps,
  { fact, trigger, event }: Occasion,
  after: string | null,
): Promise<Batch> {
  switch (ruleOf(trigger).recipients) {
    case 'audience':
      return announced(deps, event, fact, after);
    case 'registered':
      if (undoneSince(fact)) return { recipients: [], next: null };
      return registered(deps, event, ['pending', 'confirmed', 'waitlisted'], after);
    case 'filtered':
      return filtered(deps, event, fact, after);
    case 'confirmed':
      return registered(deps, event, ['confirmed'], after);
    case 'registrant':
      return registrant(deps, event, fact);
  }
}

/** User ids hold no control characters, so no cursor of the directory begins like this. */
const KEPT = '\u0001';

/**
 * The audience; after a postponement also those who kept their places and are not in it, since they were told that the
 * date is another one and would hear of no new one.
 */
async function announced(
  deps: AudienceDeps,
  event: Occasion['event'],
  fact: Fact,
  after: string | null,
): Promise<Batch> {
  const tellsKept = fact.type === 'event.published' && fact.data.after_postponement === true;
  if (!after?.startsWith(KEPT)) {
    const batch = await audience(deps, event, after);
    return batch.next === null && tellsKept ? { ...batch, next: KEPT } : batch;
  }
  const { recipients, next } = await registered(deps, event, ACTIVE, after.slice(KEPT.length) || null);
  const children = groupByGuardian(await childrenOfParents(deps, event, recipients));
  const others = recipients.filter(
    ({ user_id, contact }) => !contact || !isInAudience(contact, children.get(user_id) ?? [], event),
  );
  return { recipients: others, next: next && `${KEPT}${next}` };
}

async function childrenOfParents(deps: AudienceDeps, event: Occasion['event'], of: readonly Recipient[]) {
  const parents = of.filter(({ contact }) => contact?.roles.includes('parent')).map(({ user_id }) => user_id);
  return parents.length > 0 ? deps.contacts.childrenOf(event, parents) : [];
}

async function audience(deps: AudienceDeps, event: Occasion['event'], after: string | null): Promise<Batch> {
  const contacts = await deps.contacts.pageAfter(event, after, BATCH, { roles: rolesOfAudience(event) });
  const parents = contacts.filter((contact) => contact.roles.includes('parent')).map((contact) => contact.user_id);
  const children = parents.length > 0 ? await deps.contacts.childrenOf(event, parents) : [];
  const childrenOf = groupByGuardian(children);
  const matching = contacts.filter((contact) => isInAudience(contact, childrenOf.get(contact.user_id) ?? [], event));
  return {
    recipients: matching.map((contact) => ({
      user_id: contact.user_id,
      contact,
      registration_id: null,
      confirmation: 0,
      snapshot: null,
    })),
    next: contacts.length < BATCH ? null : (contacts.at(-1)?.user_id ?? null),
  };
}

async function filtered(
  deps: AudienceDeps,
  event: Occasion['event'],
  fact: Fact,
  after: string | null,
): Promise<Batch> {
  if (fact.type !== 'message.requested') return { recipients: [], next: null };
  const { status, kind } = fact.data;
  const statuses = ACTIVE.filter((one) => status === null || one === status);
  return registered(deps, event, statuses, after, kind);
}

const ACTIVE = ['pending', 'confirmed', 'waitlisted'] as const;

async function registered(
  deps: AudienceDeps,
  event: Occasion['event'],
  statuses: readonly RegistrationStatus[],
  after: string | null,
  kind: string | null = null,
): Promise<Batch> {
  const page = await deps.registrations.pageAfter(event, event.id, statuses, after, BATCH);
  const contacts = new Map(
    (
      await deps.contacts.findMany(
        event,
        page.map((row) => row.user_id),
      )
    ).map((contact) => [contact.user_id, contact]),
  );
  return {
    recipients: page.filter((row) => kind === null || row.kind === kind).map((row) => recipientOf(row, contacts)),
    next: page.length < BATCH ? null : (page.at(-1)?.id ?? null),
  };
}

/** Whoever is registered, as the directory knows them now and as the registration did. */
export const recipientOf = (
  { id, user_id, confirmation, contact }: Pick<Registration, 'id' | 'user_id' | 'confirmation' | 'contact'>,
  contacts: ReadonlyMap<string, Contact>,
): Recipient => ({
  user_id,
  contact: contacts.get(user_id) ?? null,
  registration_id: id,
  confirmation,
  snapshot: contact,
});

async function registrant(deps: AudienceDeps, event: Occasion['event'], fact: Fact): Promise<Batch> {
  if (fact.type !== 'registration.confirmed') return { recipients: [], next: null };
  const { registration_id, user_id, confirmation } = fact.data;
  const [registration] = await deps.registrations.findMany(event, [registration_id]);
  const contact = await deps.contacts.find(event, user_id);
  const snapshot = registration?.contact ?? null;
  return { recipients: [{ user_id, contact, registration_id, confirmation, snapshot }], next: null };
}

/** Guardians, subscriptions and languages of a whole batch in a few reads. */
export async function peopleOf(
  deps: AudienceDeps,
  { event, fact }: Occasion,
  recipients: readonly Recipient[],
): Promise<People> {
  const guardianIds = recipients.flatMap(({ contact }) => (contact && needsGuardian(contact) ? contact.guardians : []));
  const guardians = new Map(
    (await deps.contacts.findMany(event, [...new Set(guardianIds)])).map((contact) => [contact.user_id, contact]),
  );
  const user_ids = [...new Set([...recipients.map((recipient) => recipient.user_id), ...guardians.keys()])];
  const [preferences, subscriptions] = await Promise.all([
    deps.preferences.findMany(event, user_ids),
    wantsPush(fact) ? deps.pushSubscriptions.findMany(event, user_ids) : [],
  ]);
  const locales = new Map(preferences.map((row) => [row.user_id, row.locale]));
  const quietHours = new Map(preferences.map((row) => [row.user_id, row.quiet_hours ?? null]));
  const subscribed = new Set(subscriptions.map((row) => row.user_id));
  return {
    guardiansOf: (contact) =>
      contact && needsGuardian(contact) ? contact.guardians.flatMap((id) => guardians.get(id) ?? []) : [],
    hasPush: (user_id) => subscribed.has(user_id),
    localeOf: (user_id) => locales.get(user_id) ?? null,
    quietHoursOf: (user_id) => quietHours.get(user_id) ?? null,
  };
}

/** Whether a fact may go to devices: a reminder has a channel of its own. */
export const wantsPush = (fact: Fact): boolean => fact.type !== 'reminder.due' || fact.data.type === 'push';

const needsGuardian = (contact: Contact): boolean => contact.roles.includes('student') && contact.guardians.length > 0;
