import { type Static, Type } from 'typebox';
import type { AcknowledgementStore } from '../acknowledgements/acknowledgement.ts';
import type { Clock } from '../core/clock.ts';
import type { Moment } from '../core/paging.ts';
import { oneOf, stampOrNull } from '../core/schema.ts';
import type { Tx } from '../core/transaction.ts';
import type { EventStore } from '../events/ports.ts';
import type { FactStore } from '../outbox/ports.ts';
import type { Scope } from '../people/caller.ts';
import { CHANNELS, type Channel, type QueuedChannel } from '../people/channels.ts';
import type { ContactStore, PushSubscriptionStore } from '../people/ports.ts';
import type { PreferenceStore } from '../people/preferences.ts';
import type { SchoolStore } from '../people/school.ts';
import type { RegistrationStore } from '../registrations/ports.ts';
import type { ProviderReport } from './channel-adapter.ts';
import type { Delivery, DeliveryFilter, DeliveryStatus, FailedFilter, Reason } from './delivery.ts';
import type { NotifiedPerson, StoppedMessages } from './explain/notified-people.ts';
import type { InboxStore } from './inbox/entry.ts';
import type { DeliveryResult, RowResult } from './policy/retry.ts';
import type { Trigger } from './policy/trigger-table.ts';
import type { SuppressionStore } from './providers/suppression.ts';

/** People, events that messages may be about, and a channel; those related to it count too. */
type OfPeople = Scope & { event_ids: readonly string[]; channel: Channel; user_ids: readonly string[] };

/** A page of a list: the next `limit` rows after the one with this id, or the first. */
export type DeliveryPage = { after: string | null; limit: number };

/** The fields of a message that tell whether its reader knows the dates that it names. */
export const EARLIER_FIELDS = [
  'user_id',
  'event_id',
  'fact_id',
  'trigger',
  'status',
  'reason',
  'repeated',
  'settled_at',
  'other_sequences',
] as const satisfies readonly (keyof Delivery)[];
export type EarlierMessage = Pick<Delivery, (typeof EARLIER_FIELDS)[number]>;

export type DeliveryStore = {
  /** Inserts unordered and leaves existing rows unchanged. @returns the existing rows */
  insertMany(rows: readonly Delivery[]): Promise<{ collided: Delivery[] }>;
  /**
   * Adds the readers, subjects and registrations of these drafts to existing rows. Leased and sent rows stay unchanged; rows
   * skipped because of an opt-out or an ended registration wait again. @returns the current rows if some stayed unchanged
   */
  mergeReaders(rows: readonly Delivery[]): Promise<Delivery[]>;
  /** The waiting rows among these ids that are due within `withinMs`; not leased yet. */
  findDue(ids: readonly string[], channel: Channel, withinMs?: number): Promise<Delivery[]>;
  /**
   * Leases unchanged rows for `leaseMs` by the database's clock: they become `claimed` with the next fencing token, and
   * count one crash until a result is recorded. @returns the leased ids
   */
  lease(rows: readonly Delivery[], claim: string, leaseMs: number): Promise<string[]>;
  /** Moves rows with a valid lease of this claim to `sending`, with a renewed lease. @returns the ids to send */
  markSending(leased: readonly Pick<Delivery, 'id' | 'fence'>[], claim: string, leaseMs: number): Promise<string[]>;
  /**
   * Writes results of this claim, repeated until the database answers, and never after a later lease or mark. A result
   * counts even after its lease ran out, unless another worker has leased the row since.
   */
  record(results: readonly DeliveryResult[], claim: string): Promise<void>;
  /** Due waiting rows with these digest keys that are in no digest yet. */
  findDueDigestMembers(keys: readonly string[], channel: Channel): Promise<Delivery[]>;
  /**
   * Stores digests of leased rows of this claim: each list is one digest with the id of its first row.
   * @returns the ids of digests whose rows are all still leased by this claim
   */
  createDigests(digests: readonly (readonly string[])[], claim: string): Promise<string[]>;
  /** Loads the members of stored digests, by digest id; without digests whose first row was removed. */
  loadDigests(digest_ids: readonly string[]): Promise<Map<string, Delivery[]>>;
  /** Stores the address and digest key of rows that still wait, to be queued again; skips those without an address. */
  changeAddresses(rows: readonly Delivery[]): Promise<void>;
  /** In-app messages that wait although they are due. */
  findDueInApp(limit: number): Promise<Delivery[]>;
  /** Allows waiting rows to be queued again, due after `afterMs` (default: at their old time). */
  release(ids: readonly string[], afterMs?: number): Promise<void>;
  /** Messages of other facts about these events to these people, those of older facts first. */
  findOthers(of: OfPeople, except_fact_id: string): Promise<EarlierMessage[]>;
  /** Announcements of these events that reached their readers, or may have, in pages of no particular order. */
  listAnnounced(scope: Scope, event_ids: readonly string[], page: DeliveryPage): Promise<Delivery[]>;
  /** Messages of any kind about an event that have reached their readers since a moment, or may have, in the same pages. */
  listReachedSince(scope: Scope, event_id: string, since: Date, page: DeliveryPage): Promise<Delivery[]>;
  /** People to whom a message that asks for confirmation was sent, or will be by then, other than in the inbox. */
  findAskedBy(scope: Scope, event_ids: readonly string[], at: Date): Promise<ReadonlySet<string>>;
  /** The people to whom an e-mail about any of these events was drafted, without others who share its address. */
  findMailed(scope: Scope, event_ids: readonly string[]): Promise<string[]>;
  /** Whether an announcement of these events was in progress at that moment; retries don't count. */
  isBeingAnnounced(scope: Scope, event_ids: readonly string[], at: Date): Promise<boolean>;
  find(id: string): Promise<Delivery | null>;
  /** The newest text that was sent to a number, or may have been, by any school. */
  findLastText(channel: Channel, address: string): Promise<Delivery | null>;
  listOfEvent(
    scope: Scope,
    event_id: string,
    query: { user_id?: string; statuses?: readonly DeliveryStatus[]; after?: string; limit: number },
  ): Promise<Delivery[]>;
  /** Everyone with a message about an event, once per trigger. `stopped`: waiting messages that count as skipped. */
  listPeople(scope: Scope, event_id: string, stopped?: StoppedMessages | null): Promise<NotifiedPerson[]>;
  /** Counts the messages of an event by trigger, channel, status and reason. */
  countOutcomes(scope: Scope, event_id: string, stopped?: StoppedMessages | null): Promise<DeliveryOutcome[]>;
  /** Counts the messages of one trigger of an event by fact, status and reason. */
  countByFact(scope: Scope, event_id: string, trigger: Trigger): Promise<DeliveryTally[]>;
  /** Finds which of the events have messages that were removed after their retention period. */
  findWithRemovedMessages(event_ids: readonly string[]): Promise<string[]>;
  /** Counts the waiting messages of a school per channel, up to a limit (`is_capped`). */
  countQueued(scope: Scope): Promise<QueueDepth[]>;
  /** Messages of a school, newest first. */
  list(scope: Scope, query: DeliveryFilter & { before?: Moment | null; limit: number }): Promise<Delivery[]>;
  /** Counts the messages of a school and their recipients, up to a limit (`is_capped`). */
  count(scope: Scope, query: DeliveryFilter): Promise<{ messages: number; people: number; is_capped: boolean }>;
  /** Quarantined messages, ordered by id. */
  listQuarantined(scope: Scope, query: { after?: string; limit: number }): Promise<Delivery[]>;
  /** Resets a quarantined message to waiting, with its counters cleared. @returns null if it is not in quarantine */
  redrive(scope: Scope, id: string, tx: Tx): Promise<Delivery | null>;
  /** Marks a quarantined message as failed. @returns null if it is not in quarantine */
  discard(scope: Scope, id: string, tx: Tx): Promise<Delivery | null>;
  /**
   * Resets at most `limit` failed messages to waiting, as `redrive` does, oldest failures first.
   * @returns how many by event, and whether more match
   */
  retryFailed(
    scope: Scope,
    filter: FailedFilter,
    limit: number,
    tx: Tx,
  ): Promise<{ byEvent: Map<string, number>; has_more: boolean }>;
  /** Whether any message is queued, leased or being sent. */
  isAnyInProgress(): Promise<boolean>;
  /** When the next row of these channels that is not on a queue is due. */
  findNextDue(channels: readonly Channel[]): Promise<Date | null>;
  /** Tenants with rows that are due and not on a queue. */
  findWaitingTenants(channel: Channel, urgent: boolean): Promise<string[]>;
  /** Counts due rows by tenant, up to `limit` in total. */
  countWaitingByTenant(channel: Channel, urgent: boolean, limit: number): Promise<Map<string, number>>;
  /** Marks due rows as queued and returns their ids, oldest first. */
  takeForQueue(channel: Channel, urgent: boolean, tenant_id: string, limit: number): Promise<string[]>;
  /** Marks rows as not queued if they were queued `olderThanMs` ago and still wait. @returns how many */
  requeueLost(channels: readonly Channel[], urgent: boolean, olderThanMs: number): Promise<number>;
  /** Stops waiting rows past their `expires_at` (by the database's clock) as `expired`. @returns how many */
  expireWaiting(limit: number): Promise<number>;
  /** When the next waiting row becomes useless. */
  findNextExpiry(): Promise<Date | null>;
  /** Rows whose lease ran out, in their current state. */
  findExpiredLeases(limit: number): Promise<Delivery[]>;
  /** `unknown` rows whose wait is over. */
  findOverdueUnknown(channel: Channel, limit: number): Promise<Delivery[]>;
  /** Writes results of the reconciler on rows that nothing has moved or leased since they were read. */
  recordReconciled(results: readonly RowResult[]): Promise<void>;
  /**
   * Records a provider's report on a message it had accepted; reports may repeat, arrive in any order and while the message
   * is being sent. A delivered message stays delivered and is not sent again; a failed attempt does not affect a later one.
   * @returns false if no message matches
   */
  recordProviderReport(id: string, report: ProviderReport): Promise<boolean>;
  /**
   * Records a bounce, perhaps days later: the sent message and all members of its digest become failed.
   * @returns false if none of them counted as sent, e.g. after an earlier report
   */
  failByReport(id: string, report: { reason: Reason; detail: string }): Promise<boolean>;
  /** Records that its reader marked it as spam; it stays sent. @returns false if that was recorded before */
  recordComplaint(id: string): Promise<boolean>;
};

export type DeliveryOutcome = Pick<Delivery, 'trigger' | 'channel' | 'status' | 'reason'> & { count: number };

export type DeliveryTally = Pick<DeliveryOutcome, 'status' | 'reason' | 'count'> & { fact_id: string };

/** The messages of one channel. */
export const QUEUE_DEPTH = Type.Object({
  channel: oneOf(CHANNELS),
  due: Type.Integer({ description: 'Messages that are due now.' }),
  urgent: Type.Integer({ description: 'How many of the due messages are urgent.' }),
  later: Type.Integer({ description: 'Messages that are due later.' }),
  oldest_due_at: { ...stampOrNull, description: 'Since when the oldest message is late.' },
  sending: Type.Integer({ description: 'How many messages are being sent now.' }),
  unknown: Type.Integer({ description: 'Messages whose result the provider has not reported.' }),
  quarantined: Type.Integer({ description: 'How many messages are quarantined.' }),
  is_capped: Type.Boolean({ description: 'True if there are more than were counted.' }),
});
export type QueueDepth = Static<typeof QUEUE_DEPTH>;

/** The stores that messages are made from, and recorded in. */
export type NotificationStores = {
  clock: Clock;
  facts: FactStore;
  events: EventStore;
  schools: SchoolStore;
  contacts: ContactStore;
  preferences: PreferenceStore;
  pushSubscriptions: PushSubscriptionStore;
  registrations: RegistrationStore;
  acknowledgements: AcknowledgementStore;
  deliveries: DeliveryStore;
  inbox: InboxStore;
  suppressions: SuppressionStore;
};

/** Queue of wake-ups: jobs with delivery ids. */
export type DeliveryQueue = {
  /** Fails instead of waiting if the queue can't be reached. */
  add(channel: QueuedChannel, jobs: readonly DeliveryJob[]): Promise<void>;
  /** Jobs on the queue: waiting by priority, and delayed. */
  depth(channel: QueuedChannel): Promise<{ urgent: number; bulk: number; later: number }>;
};

/** Deliveries of one tenant, for fair queueing. */
export type DeliveryJob = { ids: string[]; urgent: boolean; tenant_id: string; afterMs?: number };
