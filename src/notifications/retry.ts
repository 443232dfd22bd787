import type { Delivery } from './delivery.ts';
import type { Outcome } from './outcome.ts';
import type { Settlement } from './ports.ts';
import { ruleOf, type Trigger } from './trigger.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Waits after a transient refusal (delivery.md, retry table), each ± 30 %. */
const BACKOFF_MS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR] as const;
/** Tries end a day after the delivery was made, whatever the reason. */
const TRIED_FOR_MS = 24 * HOUR;
const MAILBOX_FULL_TRIES = 3;
const ERRORS_UNTIL_QUARANTINE = 5;
export const CRASHES_UNTIL_QUARANTINE = 3;

/** How long an unknown outcome is waited for before it is judged (delivery.md, "Ambiguous outcomes"). */
const UNKNOWN_WAIT_MS = { email: MINUTE, sms: 5 * MINUTE, push: 5 * SECOND, in_app: 0 } as const;

/** A second SMS is better than none for these; a reminder is sent at most once. */
const WORTH_A_SECOND_SMS: readonly Trigger[] = ['event.cancelled', 'event.postponed', 'registration.confirmed'];

export type Try = Pick<
  Delivery,
  | 'id'
  | 'channel'
  | 'trigger'
  | 'attempts'
  | 'errors'
  | 'crashes'
  | 'handed_over'
  | 'repeated'
  | 'created_at'
  | 'redriven_at'
  | 'expires_at'
  | 'status'
>;

/**
 * What follows from one outcome: a pure function of (delivery, outcome, now, random), by the retry table of delivery.md.
 * @param random in [0, 1), spreads the waits
 */
export function settlementOf(delivery: Try, outcome: Outcome, now: Date, random: number): Settlement {
  const { id, attempts, errors, repeated } = delivery;
  const later = (afterMs: number, changes: { attempts?: number; errors?: number } = {}): Settlement => {
    const detail = detailOf(outcome);
    return { to: 'waiting', id, afterMs: Math.round(afterMs), detail, attempts, errors, repeated, ...changes };
  };
  const again = (afterMs: number, changes: { attempts?: number; errors?: number } = {}): Settlement => {
    const reason = reasonToGiveUp(delivery, afterMs, now);
    if (!reason) return later(afterMs, changes);
    return { to: reason === 'expired' ? 'skipped' : 'failed', id, reason, detail: detailOf(outcome) };
  };
  const end = (reason: 'bad_address' | 'mailbox_full' | 'refused' | 'gone' | 'opted_out'): Settlement => ({
    to: 'failed',
    id,
    reason,
    detail: detailOf(outcome),
  });
  switch (outcome.kind) {
    case 'accepted':
      return {
        to: 'sent',
        id,
        provider_id: outcome.provider_id ?? null,
        ...(outcome.provider ? { provider: outcome.provider } : {}),
        detail: null,
      };
    case 'infrastructure':
      // How the other message fares is known soon, and until then nothing more is begun.
      return again(spread(outcome.of === 'turn' ? SECOND : 10 * SECOND, random));
    case 'configuration':
      // However long it takes: what is then too late is stopped by the gate.
      return later(spread(MINUTE, random));
    case 'throttled':
      // With the throttle of the provider (circuit-breaker.ts) an urgent message waits less than 5 s.
      return again(
        Math.max(outcome.retry_after_ms ?? 0, spread(isUrgent(delivery.trigger) ? 2 * SECOND : 5 * SECOND, random)),
      );
    case 'transient':
      return again(spread(BACKOFF_MS[Math.min(attempts, BACKOFF_MS.length - 1)] ?? HOUR, random), {
        attempts: attempts + 1,
      });
    case 'mailbox_full':
      return attempts + 1 >= MAILBOX_FULL_TRIES
        ? end('mailbox_full')
        : again(spread(BACKOFF_MS[attempts + 1] ?? HOUR, random), { attempts: attempts + 1 });
    case 'bad_address':
    case 'refused':
    case 'gone':
    case 'opted_out':
      return end(outcome.kind);
    case 'over_budget':
      return { to: 'skipped', id, reason: 'over_budget', detail: outcome.detail };
    case 'ambiguous':
      return ambiguous(delivery, outcome.detail, outcome.provider);
    case 'unclassified':
      return errors + 1 >= ERRORS_UNTIL_QUARANTINE
        ? { to: 'quarantined', id, reason: 'errors', detail: outcome.detail }
        : again(spread(30 * SECOND, random), { errors: errors + 1 });
  }
}

/** The other side may have taken it: every channel has its own answer, all of them wait first. */
function ambiguous(delivery: Try, detail: string, provider?: string): Settlement {
  const { id, channel, attempts, errors, repeated } = delivery;
  if (channel === 'in_app') return { to: 'waiting', id, afterMs: SECOND, detail, attempts, errors, repeated };
  const known = provider ? { provider } : {};
  const afterMs = UNKNOWN_WAIT_MS[channel];
  return { to: 'unknown', id, afterMs, detail, attempts: attempts + 1, errors, repeated, ...known };
}

/**
 * What follows when the wait for an unknown outcome is over and nothing was heard: e-mail goes out once more under the
 * same Message-ID, a push again until it expires, an SMS once more only where a second is better than none.
 */
export function settlementOfUnknown(delivery: Try, now: Date): Settlement {
  const { id, channel, trigger, attempts, errors, repeated } = delivery;
  const unconfirmed: Settlement = { to: 'sent_unconfirmed', id, provider_id: null, detail: 'unconfirmed' };
  const once: Settlement = { to: 'waiting', id, afterMs: 0, detail: 'repeated', attempts, errors, repeated: true };
  switch (channel) {
    case 'email':
      // Two ends of processes while its server had it, and nobody ever heard of it: rather its fault than the server's,
      // and a third try could be a third copy.
      if (repeated && delivery.crashes >= 2) return { to: 'quarantined', id, reason: 'crashed', detail: 'unconfirmed' };
      return repeated ? unconfirmed : once;
    case 'sms':
      return !repeated && WORTH_A_SECOND_SMS.includes(trigger) ? once : unconfirmed;
    case 'push':
      return reasonToGiveUp(delivery, 0, now) ? unconfirmed : { ...once, repeated: false };
    case 'in_app':
      return { ...once, repeated: false };
  }
}

/**
 * What follows when a lease ran out because its process ended: what was only claimed never left and waits again; what
 * was being sent is ambiguous. Three ends in a row with the same message being sent: quarantine.
 *
 * From its second try on a message is sent alone and marked right before its channel gets it: one that ends the process
 * before that (its text can't be made) has left nothing in doubt, and gets its three tries. One whose process ended
 * twice while its channel had it may be out twice already, which is all that is promised: `settlementOfUnknown` judges it.
 */
export function settlementOfExpiredLease(delivery: Try): Settlement {
  const { id, attempts, errors, repeated } = delivery;
  if (delivery.status !== 'sending')
    return { to: 'waiting', id, afterMs: 0, detail: 'lease ran out', attempts, errors, repeated };
  if (delivery.crashes >= CRASHES_UNTIL_QUARANTINE)
    return { to: 'quarantined', id, reason: 'crashed', detail: 'lease ran out' };
  if (delivery.crashes >= 2 && !delivery.handed_over)
    return { to: 'waiting', id, afterMs: 0, detail: 'lease ran out before it left', attempts, errors, repeated };
  return ambiguous(delivery, 'lease ran out');
}

function reasonToGiveUp(delivery: Try, afterMs: number, now: Date): 'expired' | 'tried_out' | null {
  const next = now.getTime() + afterMs;
  if (delivery.expires_at !== null && next > delivery.expires_at.getTime()) return 'expired';
  const first = delivery.redriven_at ?? delivery.created_at;
  return next > first.getTime() + TRIED_FOR_MS ? 'tried_out' : null;
}

const spread = (ms: number, random: number): number => ms * (0.7 + 0.6 * random);

const isUrgent = (trigger: Trigger): boolean => ruleOf(trigger).urgent;

const detailOf = (outcome: Outcome): string | null => ('detail' in outcome ? outcome.detail : null);
