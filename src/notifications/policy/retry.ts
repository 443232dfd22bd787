import { type Channel, descriptorOf } from '../../people/channels.ts';
import type { Delivery, Reason } from '../delivery.ts';
import type { InboxText } from '../inbox/entry.ts';
import type { Outcome } from '../outcome.ts';
import { ruleOf } from './trigger-table.ts';

/** The result of an attempt; every write is filtered by the claim, so that a late writer changes nothing. */
export type DeliveryResult =
  | {
      to: 'sent' | 'sent_unconfirmed';
      id: string;
      provider_id: string | null;
      /** the provider that has it; missing: unchanged */
      provider?: string | null;
      /** version of the sent text */
      template_version?: string | null;
      /** of an in-app message: stored with its delivery */
      text?: InboxText;
      detail: string | null;
      /** missing: unchanged */
      attempts?: number;
    }
  | { to: 'skipped' | 'failed' | 'quarantined'; id: string; reason: Reason; detail: string | null; attempts?: number }
  /** to be retried `afterMs` after the database's now */
  | {
      to: 'waiting' | 'unknown';
      id: string;
      afterMs: number;
      detail: string | null;
      attempts: number;
      errors: number;
      repeated: boolean;
      /** the channel that takes the message over */
      channel?: Channel;
      /** it waits for the end of quiet hours or holidays that have begun since it was drafted */
      deferral?: Pick<Delivery, 'due_at' | 'held_until' | 'held_for' | 'digest_key'>;
      provider_id?: string | null;
      provider?: string | null;
    };

/** A row as it was leased, and its result. */
export type RowResult = { row: Delivery; result: DeliveryResult };

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Waits after the first transient refusals, each ± 30 %; all later waits equal the last of these. */
const FIRST_BACKOFFS_MS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR] as const;
const LAST_BACKOFF_MS = 4 * HOUR;
/** Retries end a day after the delivery was created, the end of its deferral or its release by staff. */
const RETRY_FOR_MS = 24 * HOUR;
const MAILBOX_FULL_TRIES = 3;
const ERRORS_UNTIL_QUARANTINE = 5;
export const CRASHES_UNTIL_QUARANTINE = 3;

/** How long an SMS of unknown outcome waits for its status callback before the provider is asked; at most three leases. */
const CALLBACK_WAIT_MS = 5 * MINUTE;
const PUSH_WAIT_MS = 5 * SECOND;
/** How long the provider is asked before the message counts as unconfirmed. */
const ASK_FOR_MS = 10 * MINUTE;

/** How long a message waits that was leased and not sent. */
export const RELEASED_MS = 2_000;

type At = {
  now: Date;
  /** in [0, 1): the jitter of waits */
  random: number;
  /** how long an e-mail of unknown outcome waits */
  leaseMs: number;
};

type Counters = Pick<Delivery, 'attempts' | 'errors' | 'repeated'>;

/** The result after which a delivery waits to be leased again, with its counters unless they change. */
export const waits = (
  { id, attempts, errors, repeated }: Counters & Pick<Delivery, 'id'>,
  afterMs: number,
  detail: string | null,
  changes: Partial<Extract<DeliveryResult, { afterMs: number }>> = {},
): DeliveryResult => ({
  to: 'waiting',
  id,
  afterMs: Math.round(afterMs),
  detail,
  attempts,
  errors,
  repeated,
  ...changes,
});

/** The retry policy: the result of a try to send, by its outcome. */
export function resultOf(delivery: Delivery, outcome: Outcome, { now, random, leaseMs }: At): DeliveryResult {
  const { id, attempts, errors } = delivery;
  const detail = 'detail' in outcome ? outcome.detail : null;
  const again = (afterMs: number, changes: Partial<Counters> = {}): DeliveryResult => {
    const reason = reasonToGiveUp(delivery, afterMs, now);
    if (!reason) return waits(delivery, afterMs, detail, changes);
    return {
      to: reason === 'expired' ? 'skipped' : 'failed',
      id,
      reason,
      detail,
      attempts: changes.attempts,
    };
  };
  const counted = { attempts: attempts + 1 };
  const end = (reason: Reason): DeliveryResult => ({ to: 'failed', id, reason, detail, ...counted });
  switch (outcome.kind) {
    case 'accepted': {
      const { provider_id = null, provider } = outcome;
      return { to: 'sent', id, provider_id, provider, detail, ...counted };
    }
    case 'infrastructure':
      // Another message is probing this provider: check again in a second.
      return again(jitter(outcome.of === 'turn' ? SECOND : 10 * SECOND, random));
    case 'configuration':
      // Retried without limit: the gate stops messages that are too late by then.
      return waits(delivery, jitter(MINUTE, random), detail);
    case 'throttled':
      // Together with the throttle of the provider (circuit-breaker.ts) an urgent message waits less than 5 s.
      return again(
        Math.max(
          outcome.retry_after_ms ?? 0,
          jitter(ruleOf(delivery.trigger).urgent ? 2 * SECOND : 5 * SECOND, random),
        ),
      );
    case 'transient':
      return again(jitter(backoffMs(attempts), random), counted);
    case 'mailbox_full':
      return counted.attempts >= MAILBOX_FULL_TRIES
        ? end('mailbox_full')
        : again(jitter(backoffMs(attempts + 1), random), counted);
    case 'bad_address':
    case 'refused':
    case 'gone':
    case 'opted_out':
    case 'no_account':
      return end(outcome.kind);
    case 'no_template':
    case 'over_budget':
      return { to: 'skipped', id, reason: outcome.kind, detail };
    case 'ambiguous':
      return ambiguous(delivery, outcome.detail, leaseMs, outcome.provider);
    case 'unclassified':
      return errors + 1 >= ERRORS_UNTIL_QUARANTINE
        ? { to: 'quarantined', id, reason: 'errors', detail }
        : again(jitter(30 * SECOND, random), { errors: errors + 1 });
  }
}

/**
 * The provider may have accepted the message. Every channel waits before it repeats, so that a late answer, or the result of
 * a worker that can't reach the database now, can be recorded first.
 */
function ambiguous(delivery: Delivery, detail: string, leaseMs: number, provider?: string): DeliveryResult {
  const { id, channel, attempts, errors, repeated } = delivery;
  const { inDoubt } = descriptorOf(channel);
  if (inDoubt === 'always') return waits(delivery, SECOND, detail);
  const afterMs = { once: leaseMs, ask: Math.min(CALLBACK_WAIT_MS, 3 * leaseMs), until_expired: PUSH_WAIT_MS }[inDoubt];
  return { to: 'unknown', id, afterMs, detail, attempts: attempts + 1, errors, repeated, provider };
}

/** Reasons for which the fallback of a channel takes a message over. */
export const TAKEN_OVER: readonly Reason[] = ['no_account', 'no_template'];

/** The result, or the move to the row's fallback channel if there is one for such a reason. A message moves at most once. */
export function orFallback({ fallback }: Pick<Delivery, 'fallback'>, result: DeliveryResult): DeliveryResult {
  if (!fallback || !('reason' in result) || !TAKEN_OVER.includes(result.reason)) return result;
  const { id, detail } = result;
  return waits({ id, attempts: 0, errors: 0, repeated: false }, 0, detail, { channel: fallback });
}

/** The provider's answer to a look-up; `silent`: it can't be asked, or did not answer. */
export type Lookup = { provider_id: string } | 'none' | 'silent';

/**
 * The result after the wait for an unknown outcome: an e-mail is sent once more under the same Message-ID, a push until it
 * expires, an SMS once more if the provider does not have it or, without an answer, if a second SMS is better than none.
 * @returns null to ask the provider again
 */
export function resultOfUnknown(delivery: Delivery, lookup: Lookup, now: Date): DeliveryResult | null {
  const { id, channel, trigger, repeated } = delivery;
  if (typeof lookup === 'object') return { to: 'sent', id, provider_id: lookup.provider_id, detail: 'looked up' };
  const unconfirmed = { ...UNCONFIRMED, id };
  const again = waits(delivery, 0, 'repeated', { repeated: true });
  switch (descriptorOf(channel).inDoubt) {
    case 'once':
      // Two crashes while its server had it: probably the message's fault, and a third try could send a third copy.
      if (repeated && delivery.crashes >= 2) return { to: 'quarantined', id, reason: 'crashed', detail: 'unconfirmed' };
      return repeated ? unconfirmed : again;
    case 'ask':
      if (lookup === 'none') return repeated ? { to: 'failed', id, reason: 'not_sent', detail: 'looked up' } : again;
      if (now.getTime() < delivery.due_at.getTime() + ASK_FOR_MS) return null;
      return !repeated && ruleOf(trigger).repeatsSms ? again : unconfirmed;
    case 'until_expired':
      return reasonToGiveUp(delivery, 0, now) ? unconfirmed : again;
    case 'always':
      return again;
  }
}

const UNCONFIRMED = { to: 'sent_unconfirmed', provider_id: null, detail: 'unconfirmed' } as const;

/** The result of a message that the gate stops. One that is sent again may have arrived, unless its provider was asked. */
export const resultOfStop = ({ id, channel, repeated }: Delivery, reason: Reason): DeliveryResult =>
  repeated && descriptorOf(channel).inDoubt !== 'ask'
    ? { ...UNCONFIRMED, id }
    : { to: 'skipped', id, reason, detail: null };

/**
 * The result after a lease ran out because its process ended: a message that was not being sent is released; one that was is
 * ambiguous. After three crashes in a row it is a poison message. From its second try on it is leased alone, so that crashes
 * caused by other messages don't count.
 */
export function resultOfExpiredLease(delivery: Delivery, leaseMs: number): DeliveryResult {
  const detail = 'lease ran out';
  if (delivery.crashes >= CRASHES_UNTIL_QUARANTINE)
    return { to: 'quarantined', id: delivery.id, reason: 'crashed', detail };
  return delivery.status === 'sending' ? ambiguous(delivery, detail, leaseMs) : waits(delivery, 0, detail);
}

function reasonToGiveUp(delivery: Delivery, afterMs: number, now: Date): 'expired' | 'tried_out' | null {
  const next = now.getTime() + afterMs;
  if (delivery.expires_at !== null && next > delivery.expires_at.getTime()) return 'expired';
  const first = Math.max(Number(delivery.created_at), Number(delivery.held_until), Number(delivery.redriven_at));
  return next > first + RETRY_FOR_MS ? 'tried_out' : null;
}

const backoffMs = (attempts: number): number => FIRST_BACKOFFS_MS[attempts] ?? LAST_BACKOFF_MS;

const jitter = (ms: number, random: number): number => ms * (0.7 + 0.6 * random);
