import type { Tx } from '../core/transaction.ts';
import type { Scope } from '../people/caller.ts';
import type { Content, Outgoing } from './content/message.ts';
import type { DigestStore } from './delivery/digest-ports.ts';
import type { Outcome, OutcomeKind, ProviderWord } from './delivery/outcome.ts';
import type { Delivery, DeliveryStatus, Reason, RetryableReason } from './delivery.ts';
import type { Channel, Trigger } from './policy/trigger.ts';
import type { Senders } from './providers/address-ports.ts';
import type { Availability, CircuitBreaker } from './providers/circuit-breaker.ts';

/**
 * A way to reach people. One adapter per provider; the delivery path is the only caller.
 * `send` hands over all messages at once and answers in the same order, one outcome each; it never throws for what a
 * provider did, and settles within SEND_TIMEOUT_MS whatever the other side does.
 */
export type ChannelAdapter = {
  readonly channel: Channel;
  /** messages it can have on the wire at once, and is given: what a crash may leave in doubt */
  readonly capacity: number;
  /** messages in one call of `send`: they are recorded when all of them have an outcome */
  readonly chunk: number;
  /** whether it can put several messages to one reader into one (`Outgoing.parts`) */
  readonly digests?: boolean;
  send(messages: readonly Outgoing[]): Promise<Outcome[]>;
  /**
   * Whether the provider has this message after all, for channels whose provider can be asked. @returns its id there, or
   * null where it has none @throws where it could not be asked
   */
  find?(message: Outgoing, since: Date): Promise<{ provider_id: string } | null>;
  /**
   * What its providers take now: a chunk, one message as a probe, or nothing for so many milliseconds.
   * @param urgent of urgent messages, or of the others
   */
  availability?(urgent?: boolean): Availability;
  /** one for each of its providers, where it has any outside */
  breakers?(): readonly CircuitBreaker[];
  /** its senders, as people may tell them to stop: one of them carries what is urgent, or what is not */
  readonly senders?: Senders;
  /** The version of the text that such a message is made from. */
  textVersion?(content: Content): string;
  /** Ends idle connections; messages on their way are awaited. */
  close(): Promise<void>;
};

/** News of one provider: each outcome, and when its circuit breaker opens or closes or it is throttled. */
export type ProviderNotice = { provider: string; outcome: OutcomeKind; detail: string | null } & (
  | { what: 'answered' | 'closed' }
  | { what: 'opened'; why: 'infrastructure' | 'configuration'; forMs: number }
  | { what: 'throttled'; forMs: number }
);

/** What the end of a try writes; each is filtered by the claim, so that a late writer changes nothing. */
export type DeliveryResult =
  | {
      to: 'sent' | 'sent_unconfirmed';
      id: string;
      provider_id: string | null;
      /** which of several providers has it; not given: as it was */
      provider?: string | null;
      /** of the text that was sent */
      template_version?: string | null;
      detail: string | null;
    }
  | { to: 'skipped' | 'failed' | 'quarantined'; id: string; reason: Reason; detail: string | null }
  /** again later; `afterMs` from the database's now */
  | {
      to: 'waiting' | 'unknown';
      id: string;
      afterMs: number;
      detail: string | null;
      attempts: number;
      errors: number;
      repeated: boolean;
      provider_id?: string | null;
      provider?: string | null;
    };

export type DeliveryStore = DigestStore & {
  /**
   * Unordered; a row whose key exists already is left alone. @returns those that existed, as they are
   */
  insertMany(rows: readonly Delivery[]): Promise<{ collided: Delivery[] }>;
  /**
   * Gives existing rows the readers, the people they are about and the registrations that these have. What is claimed or
   * was sent stays as it is; what was skipped because nobody wanted it, or nobody was registered any more, waits again.
   */
  mergeReaders(rows: readonly Delivery[]): Promise<void>;
  /** Those of the ids that are due (within `withinMs`) and waiting, as they are; nobody holds them yet. */
  findDue(ids: readonly string[], channel: Channel, withinMs?: number): Promise<Delivery[]>;
  /**
   * Leases rows that are still as they were read, for `leaseMs` by the database's clock: they become `claimed`, with the
   * next fencing token, and one crash is counted until a result takes it back. @returns the ids this claim holds
   */
  lease(rows: readonly Delivery[], claim: string, leaseMs: number): Promise<string[]>;
  /** Leased rows whose lease still holds become `sending`, with a fresh lease. @returns the ids that are ours to send */
  markSending(ids: readonly string[], claim: string, leaseMs: number): Promise<string[]>;
  /**
   * Writes results of this claim, again and again until the database answers, before or together with every lease and
   * mark that is asked for later. A result also counts after its lease ran out, as long as nobody has leased the row anew.
   */
  record(results: readonly DeliveryResult[], claim: string): Promise<void>;
  /** Lets rows that wait be queued anew, due in `afterMs` (now, or when they were). */
  release(ids: readonly string[], afterMs?: number): Promise<void>;
  /** Users among these who have a message of this event and channel leased or on the wire, other than the given rows. */
  findInFlight(
    scope: Scope,
    event_id: string,
    channel: Channel,
    user_ids: readonly string[],
    except: readonly string[],
  ): Promise<string[]>;
  /**
   * Announcements of an event to these people by other facts than the given one, sent (`settled`) or on the wire or in
   * doubt.
   */
  findOtherAnnouncements(
    scope: Scope,
    event_id: string,
    channel: Channel,
    user_ids: readonly string[],
    except_fact_id: string,
  ): Promise<{ user_id: string; fact_id: string; settled: boolean }[]>;
  /** Announcements of an event that have reached somebody or may have, in no order that means anything. */
  listAnnouncements(scope: Scope, event_id: string, after: string | null, limit: number): Promise<Delivery[]>;
  /** What has reached somebody about an event since that moment, or may have: of any kind, in no order that means anything. */
  listNotifiedSince(
    scope: Scope,
    event_id: string,
    since: Date,
    after: string | null,
    limit: number,
  ): Promise<Delivery[]>;
  /** Whether an announcement of this event was still going out at that moment; what is tried again doesn't count. */
  isBeingAnnounced(scope: Scope, event_id: string, at: Date): Promise<boolean>;
  find(id: string): Promise<Delivery | null>;
  listOfEvent(
    scope: Scope,
    event_id: string,
    query: { user_id?: string; statuses?: readonly DeliveryStatus[]; after?: string; limit: number },
  ): Promise<Delivery[]>;
  /** How many messages there are for an event, by what they tell of, channel, status and reason. */
  countOutcomes(scope: Scope, event_id: string): Promise<DeliveryOutcome[]>;
  /** How many messages of one trigger there are for an event, by fact, status and reason. */
  countByFact(scope: Scope, event_id: string, trigger: Trigger): Promise<DeliveryTally[]>;
  /** What waits for a school, a row per channel; counted as far as is of use to a person. */
  countQueued(scope: Scope): Promise<QueueDepth[]>;
  /** A school's messages, newest first. */
  list(
    scope: Scope,
    query: Partial<Pick<Delivery, 'status' | 'channel' | 'trigger' | 'event_id' | 'user_id'>> & {
      before?: { at: Date; id: string };
      limit: number;
    },
  ): Promise<Delivery[]>;
  /** Those in quarantine, in the order of their ids. */
  listQuarantined(scope: Scope, query: { after?: string; limit: number }): Promise<Delivery[]>;
  /** Back to waiting, with nothing held against it any more. @returns null where it is not in quarantine (any more) */
  redrive(scope: Scope, id: string, tx: Tx): Promise<Delivery | null>;
  /** Ends it for good, as failed. @returns null where it is not in quarantine (any more) */
  discard(scope: Scope, id: string, tx: Tx): Promise<Delivery | null>;
  /**
   * Resets at most `limit` failed messages to waiting, as `redrive` does, those that failed first before others.
   * @returns how many by event, and whether more match
   */
  retryFailed(
    scope: Scope,
    filter: FailedFilter,
    limit: number,
    tx: Tx,
  ): Promise<{ byEvent: Map<string, number>; has_more: boolean }>;
  /** Whether any row of these is due and not on a queue. */
  isAnyWaiting(channels: readonly Channel[], urgent: boolean): Promise<boolean>;
  /** Tenants with rows that are due and not on a queue. */
  findWaitingTenants(channel: Channel, urgent: boolean): Promise<string[]>;
  /** How many are due, by tenant, counting no further than `limit` in all. */
  countWaitingByTenant(channel: Channel, urgent: boolean, limit: number): Promise<Map<string, number>>;
  /** Ids that are due and not on a queue, oldest first, marked as queued. A suspect is a row that saw a crash. */
  takeForQueue(
    channel: Channel,
    urgent: boolean,
    tenant_id: string,
    limit: number,
  ): Promise<{ id: string; suspect: boolean }[]>;
  /** Rows of these lanes queued at least `olderThanMs` ago and still waiting count as not queued again. @returns how many */
  requeueLost(channels: readonly Channel[], urgent: boolean, olderThanMs: number): Promise<number>;
  /** Rows still waiting although they have become useless (by the database's clock) are skipped as `expired`. @returns how many */
  expireWaiting(limit: number): Promise<number>;
  /** Rows whose lease ran out, with the state they were left in. */
  findExpiredLeases(limit: number): Promise<Delivery[]>;
  /** Writes results of the reconciler on rows whose lease ran out, if they are still as they were read. */
  recordExpired(results: readonly { row: Delivery; result: DeliveryResult }[]): Promise<void>;
  /** `unknown` rows past their wait. */
  findOverdueUnknown(channel: Channel, limit: number): Promise<Delivery[]>;
  recordUnknown(results: readonly DeliveryResult[]): Promise<void>;
  /**
   * A provider's word on a message it had taken, in any order, doubled, and also while it is still being sent: what has
   * arrived stays so and is not sent again, and the failure of an earlier try says nothing about a later one.
   * @returns false where there is no such message (any more) for which it could mean anything
   */
  recordProviderReport(id: string, word: ProviderWord): Promise<boolean>;
  /**
   * A report that an e-mail came back, perhaps days later: what counted as sent has failed, with all that the same e-mail
   * told of. @returns false if nothing of it counted as sent: an earlier report was recorded
   */
  failByReport(id: string, report: { reason: Reason; detail: string }): Promise<boolean>;
  /** Its reader called it unwanted: it stays sent, and says so. @returns false if it said so already */
  recordComplaint(id: string): Promise<boolean>;
};

/** Failed messages that staff may retry; `from` and `to` (not included) bound the moment they failed. */
export type FailedFilter = {
  event_id?: string;
  channel?: Channel;
  reason?: RetryableReason;
  from?: Date;
  to?: Date;
};

export type DeliveryOutcome = Pick<Delivery, 'trigger' | 'channel' | 'status' | 'reason'> & { count: number };

export type DeliveryTally = { fact_id: string; status: DeliveryStatus; reason: Reason | null; count: number };

export type QueueDepth = {
  channel: Channel;
  /** should be on its way by now */
  due: number;
  /** of them, ahead of bulk */
  urgent: number;
  /** planned for a later moment */
  later: number;
  oldest_due_at: Date | null;
  sending: number;
  /** the provider has not said what became of it */
  unknown: number;
  quarantined: number;
  /** there are more than were counted */
  is_capped: boolean;
};

/** Wake-ups of one channel: groups of ids. */
export type DeliveryQueue = {
  /** Fails rather than waits when the queue can't be reached. */
  add(channel: Channel, groups: readonly DeliveryGroup[]): Promise<void>;
  /** Groups on the queue: waiting by lane, being worked on, and those whose time is to come. */
  depth(channel: Channel): Promise<{ urgent: number; bulk: number; active: number; later: number }>;
};

/** Of one tenant, whose turn it takes. */
export type DeliveryGroup = { ids: string[]; urgent: boolean; tenant_id: string; afterMs?: number };

/**
 * What happens from the moment the promise resolves, in every process alike; a repeat is possible, a gap is not: where
 * something may have been missed, `lost` is called, once and as the last.
 */
export type Listen<T> = (on: (signal: T) => void, lost: (error: unknown) => void) => Promise<() => Promise<void>>;

export type {
  InboxCounts,
  InboxEntry,
  InboxMark,
  InboxSignal,
  InboxStore,
  NewInboxEntry,
  StoredInboxEntry,
} from './inbox/ports.ts';
export { INBOX_MARKS } from './inbox/ports.ts';
export type { BouncedFilter, Senders, SmsBudget, SuppressionStore } from './providers/address-ports.ts';
