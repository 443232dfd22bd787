import { groupBy } from '../../core/groups.ts';
import type { SchoolEvent } from '../../events/event.ts';
import { type NewFact, withId } from '../../outbox/fact.ts';
import { type Channel, descriptorOf } from '../../people/channels.ts';
import type { Senders } from '../channel-adapter.ts';
import type { Content, PersonValues } from '../content/message.ts';
import { type ComposeDeps, cachedContents, outgoingOf } from '../delivery/compose.ts';
import { loadHistory, statesOf } from '../delivery/history.ts';
import { loadBlocked, loadReaders, loadRegistrations } from '../delivery/readers.ts';
import type { Delivery, Reason } from '../delivery.ts';
import { EVERYONE, eachBatch } from '../fan-out/audience-cursor.ts';
import { type AddressLimit, limitGivenAddresses } from '../fan-out/fan-out.ts';
import { draftCorrections } from '../fan-out/follow-ups.ts';
import { loadOccasion, loadPeople } from '../fan-out/load-occasion.ts';
import { draftDeliveries, type Occasion, oneRowPerKey } from '../policy/draft-deliveries.ts';
import { gateOfDates } from '../policy/gate.ts';
import { previewSpending, type SmsAllowance } from '../policy/sms-allowance.ts';
import type { NotificationStores } from '../ports.ts';

export type DryRunDeps = NotificationStores &
  TextDeps & {
    addressLimit: AddressLimit;
    /** of the channels that take a STOP */
    senders: Partial<Record<Channel, Senders>>;
    smsAllowance: SmsAllowance;
    /** channels that have settings */
    openChannels: ReadonlySet<Channel>;
    /** whether its channel takes any text, or has approved one for such messages */
    hasTemplate(row: Pick<Delivery, 'channel' | 'trigger' | 'locale'>): boolean;
    /** measured messages per second of each channel */
    rates: Readonly<Record<Channel, number>>;
  };

/** How many messages would be sent on a channel, and how many would be skipped, by reason. */
type Audience = Partial<Record<Channel, { told: number; skipped: Partial<Record<Reason, number>> }>>;

/** Waiting messages are counted up to this number; the estimate needs no more precision. */
const COUNTED = 200_000;

/**
 * Dry run: counts who would be notified if these facts were recorded, with the recipients, rows and gate of the fan-out.
 * Writes nothing.
 * @param previews each event as it would be after the change, with its facts
 * @returns `addressed`: people or registrations that the messages are for; `people`: those notified on any channel, also at a
 * shared address; `sms_segments`: SMS parts to be paid; `estimated_seconds`: until the last message is sent, including
 * messages already waiting
 */
export async function previewAudience(
  deps: DryRunDeps,
  previews: readonly { event: SchoolEvent; facts: readonly NewFact[] }[],
  at: Date,
) {
  const audience: Audience = {};
  const people = new Set<string>();
  const queues = new Map<string, Queued>();
  let addressed = 0;
  let sms_segments = 0;
  let lastDue = at;
  const segmentsOf = segmentCounter(deps);
  const fits = previewSpending(deps.smsAllowance);

  async function count(occasion: Occasion, { row, stopped }: Drafted): Promise<void> {
    const parts = stopped === null && descriptorOf(row.channel).isPaidByPart ? await segmentsOf(row, occasion) : 0;
    const reason = parts > 0 && !(await fits(row, parts)) ? 'over_budget' : stopped;
    const { channel, urgent, tenant_id } = row;
    audience[channel] ??= { told: 0, skipped: {} };
    const counted = audience[channel];
    // People who share an address are all notified by one message.
    if (reason === null || reason === 'same_address') people.add(row.user_id);
    if (reason !== null) {
      counted.skipped[reason] = (counted.skipped[reason] ?? 0) + 1;
      return;
    }
    counted.told += 1;
    const key = `${channel} ${urgent} ${tenant_id}`;
    queues.set(key, { channel, urgent, tenant_id, count: (queues.get(key)?.count ?? 0) + 1 });
    if (row.due_at > lastDue) lastDue = row.due_at;
    sms_segments += parts;
  }

  const events = previews.map(({ event }) => event);
  const preview = { ...deps, events: { ...deps.events, findMany: async () => events } };
  const limit = deps.addressLimit.preview();
  for (const fact of previews.flatMap(({ facts }) => facts)) {
    const occasion = await loadOccasion(preview, withId(fact));
    if (!occasion) continue;
    for await (const batch of draftBatches(deps, occasion, at, limit)) {
      addressed += batch.addressed;
      for (const drafted of batch.drafted) await count(occasion, drafted);
    }
  }
  let slowest = 0;
  for (const { channel, urgent, tenant_id, count } of queues.values()) {
    const ahead: Ahead = await deps.deliveries.countWaitingByTenant(channel, urgent, COUNTED);
    slowest = Math.max(slowest, secondsUntilSent(count, tenant_id, ahead, deps.rates[channel]));
  }
  const estimated_seconds = Math.ceil((lastDue.getTime() - at.getTime()) / 1_000) + slowest;
  return { audience, addressed, people: people.size, sms_segments, estimated_seconds };
}

/** Messages of one channel, priority and tenant. */
type Queued = Pick<Delivery, 'channel' | 'urgent' | 'tenant_id'> & { count: number };

type Drafted = { row: Delivery; stopped: Reason | null };

/** Drafts the messages of a fact in batches, with the reasons for which the gate would stop them. */
async function* draftBatches(
  deps: DryRunDeps,
  occasion: Occasion,
  at: Date,
  limit: Parameters<typeof limitGivenAddresses>[0],
): AsyncGenerator<{ addressed: number; drafted: Drafted[] }> {
  const known = new Set<string>();
  const knownUnder = new Set<string>();
  for await (const { recipients } of eachBatch(deps, occasion, EVERYONE)) {
    const people = await loadPeople(deps, occasion, recipients);
    const { rows: unique, merged } = oneRowPerKey(draftDeliveries(occasion, recipients, people, at));
    const rows = await limitGivenAddresses(limit, unique, at);
    const gate = await loadGate(deps, occasion, rows, at);
    const drafted = [...rows, ...merged].flatMap((row): Drafted[] => {
      const ofPerson = `${row.id} ${row.user_id}`;
      if (knownUnder.has(ofPerson)) return [];
      const decided = known.has(row.id) ? { row, stopped: 'same_address' as const } : gate(row);
      known.add(row.id);
      knownUnder.add(ofPerson);
      return [decided];
    });
    yield { addressed: recipients.length, drafted };
  }
  for await (const drafts of draftCorrections(deps, occasion, at)) {
    const rows = await limitGivenAddresses(limit, drafts, at);
    const gate = await loadGate(deps, occasion, rows, at);
    const corrections = rows.filter(({ id }) => !known.has(id));
    yield { addressed: 0, drafted: corrections.map(gate) };
  }
}

/** Loads the state that the gate needs for a whole batch. @returns the gate, which moves a message to the channel that takes over */
async function loadGate(deps: DryRunDeps, { event, dates }: Occasion, rows: readonly Delivery[], at: Date) {
  const readers = await loadReaders(deps, event, rows);
  const registrations = await loadRegistrations(deps, event, rows);
  const takenOver = rows.flatMap((row) => (row.fallback ? { ...row, channel: row.fallback, fallback: null } : []));
  const byChannel = new Map<Channel, ReturnType<typeof statesOf>>();
  for (const some of groupBy([...rows, ...takenOver], (row) => row.channel)) {
    const [first] = some;
    const blocked = await loadBlocked(deps, first, some, deps.senders[first.channel]);
    const history = await loadHistory(deps, some, dates);
    byChannel.set(first.channel, statesOf(dates, history, { ...readers, ...blocked, at }));
  }
  const reasonFor = (row: Delivery): Reason | null => {
    const statesFor = byChannel.get(row.channel);
    if (row.reason || !statesFor) return row.reason;
    const own = row.registration_ids.flatMap((id) => registrations.get(id) ?? []);
    return gateOfDates(row, statesFor(row, own)).reason;
  };
  return function decide(row: Delivery): Drafted {
    const stopped = reasonFor(row);
    if (stopped || deps.hasTemplate(row)) return { row, stopped };
    if (row.fallback === null) return { row, stopped: 'no_template' };
    return decide({ ...row, channel: row.fallback, fallback: null });
  };
}

/** Waiting messages on a channel, by tenant. */
type Ahead = ReadonlyMap<string, number>;

/**
 * Seconds until the last of these messages is sent at the channel's rate. Tenants are served round robin, so another tenant
 * counts at most as many messages as this one has.
 */
export function secondsUntilSent(count: number, tenant_id: string, ahead: Ahead, perSecond: number): number {
  if (count === 0) return 0;
  const ours = count + (ahead.get(tenant_id) ?? 0);
  const others = [...ahead].filter(([tenant]) => tenant !== tenant_id).map(([, waiting]) => Math.min(waiting, ours));
  return Math.ceil((ours + others.reduce((sum, waiting) => sum + waiting, 0)) / perSecond);
}

type TextDeps = Omit<ComposeDeps, 'contentOf'> & {
  /** How many SMS parts this text costs. */
  smsSegments: (content: Content, person: PersonValues) => Promise<number>;
};

/** Counts the parts of text messages before they are sent; composes equal texts once. */
export function segmentCounter(deps: TextDeps): (row: Delivery, occasion: Occasion) => Promise<number> {
  // Text messages have no link to unsubscribe.
  const composing = { ...deps, links: { ...deps.links, unsubscribe: () => '' }, contentOf: cachedContents() };
  const known = new Map<string, number>();
  return async (row, about) => {
    const { content, person } = outgoingOf(composing, row, about);
    // Links of one kind are of one length.
    const alike = JSON.stringify([content.key, person.on_behalf_of, person.place_url !== '', person.registered]);
    const counted = known.get(alike) ?? (await deps.smsSegments(content, person));
    known.set(alike, counted);
    return counted;
  };
}
