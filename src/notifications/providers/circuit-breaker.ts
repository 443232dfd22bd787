import type { Outcome } from '../outcome.ts';

/**
 * The circuit breaker of one provider (an SMTP server, an SMS sender, a push service), as one process sees it. Pure:
 * instants are milliseconds of any steady clock.
 *
 * closed: accepts messages · open: accepts none until `retry_at` · half_open: one message, the probe, is in flight.
 * Throttling after a "slow down" answer is independent of the state.
 */
export type CircuitBreaker = {
  readonly name: string;
  readonly state: 'closed' | 'open' | 'half_open';
  /** why it is not closed */
  readonly why: 'infrastructure' | 'configuration' | null;
  /** failures since the last answer */
  readonly failures: number;
  /** recipients since the last answer for whom our settings were refused */
  readonly refused_for: readonly string[];
  /** openings since it was last closed: each cool-down is twice as long as the previous one */
  readonly openings: number;
  /** open: the end of the cool-down; half_open: when the probe counts as lost */
  readonly retry_at: number;
  /** results of calls that began earlier are ignored */
  readonly changed_at: number;
  readonly throttled_at: number;
  readonly throttled_until: number;
  /** when urgent messages may try a throttled provider */
  readonly throttled_until_urgent: number;
  /** throttles since it last accepted a message */
  readonly throttles: number;
};

/** How many messages a provider accepts now: `all`, `one` as a probe, or none for this many milliseconds (at least 1). */
export type Availability = 'all' | 'one' | number;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Consecutive failures; one broken connection may cause a few. */
const FAILURES_UNTIL_OPEN = 5;
/** More, because a provider that accepts texts is at least reachable. */
const AMBIGUOUS_UNTIL_OPEN = 10;
/** A refusal for one person may have a reason on their side, e.g. a push subscription made with other keys. */
const PEOPLE_UNTIL_OPEN = 3;
/** First and longest cool-down. Longer for configuration, because repeated logins with a wrong password lock accounts. */
const COOL_DOWN_MS = { infrastructure: [5 * SECOND, 30 * SECOND], configuration: [30 * SECOND, 10 * MINUTE] } as const;
const THROTTLE_MS = [SECOND, MINUTE] as const;
/** Together with the wait of a throttled urgent message (retry.ts) less than 5 s. */
const URGENT_THROTTLE_MS = 2 * SECOND;
/** The longest wait of an urgent message for a cool-down or another message's probe. */
const URGENT_WAIT_MS = 3 * SECOND;

export const newBreaker = (name: string, now: number): CircuitBreaker => ({
  name,
  state: 'closed',
  why: null,
  failures: 0,
  refused_for: [],
  openings: 0,
  retry_at: 0,
  changed_at: now,
  throttled_at: 0,
  throttled_until: 0,
  throttled_until_urgent: 0,
  throttles: 0,
});

/** How many messages this provider accepts now. */
export function availabilityOf(breaker: CircuitBreaker, now: number, urgent = false): Availability {
  const throttledMs = (urgent ? breaker.throttled_until_urgent : breaker.throttled_until) - now;
  if (throttledMs > 0) return Math.ceil(throttledMs);
  if (breaker.state === 'closed') return 'all';
  const probeAt = urgent ? urgentProbeAt(breaker) : breaker.retry_at;
  if (now >= probeAt) return 'one';
  // The running probe may be answered any moment.
  return Math.ceil(breaker.state === 'open' ? probeAt - now : Math.min(probeAt - now, SECOND));
}

/** Urgent messages probe an unreachable provider earlier: the servers of bulk recipients may hang, not the provider. */
const urgentProbeAt = ({ why, changed_at, retry_at }: CircuitBreaker): number =>
  why === 'infrastructure' ? Math.min(retry_at, changed_at + URGENT_WAIT_MS) : retry_at;

/** The breaker after a call was started; if it is not closed, the call is the probe. @param withinMs timeout of the call */
export function startCall(breaker: CircuitBreaker, now: number, withinMs: number): CircuitBreaker {
  if (breaker.state === 'closed') return breaker;
  // A probe before the end of the cool-down does not lengthen the next cool-down.
  const openings = breaker.state === 'open' && now < breaker.retry_at ? breaker.openings - 1 : breaker.openings;
  return { ...breaker, openings, state: 'half_open', retry_at: now + withinMs, changed_at: now };
}

type Call = {
  outcome: Outcome;
  /** when the call began, and when it was answered */
  began: number;
  now: number;
  /** in [0, 1): jitter of the cool-down */
  random: number;
  /** the recipient of the message */
  recipient: string;
};

/** The breaker after a call. Any answer about the message, even a refusal, means that the provider works. */
export function endCall(breaker: CircuitBreaker, call: Call): CircuitBreaker {
  const { outcome, began, now } = call;
  const isStale = began < breaker.changed_at;
  switch (outcome.kind) {
    case 'throttled':
      return throttle(close(breaker, now), outcome.retry_after_ms ?? 0, began, now);
    case 'configuration':
      if (isStale) return breaker;
      if (outcome.of === 'recipient') return close(breaker, now);
      return outcome.of === 'route' ? refuseFor(breaker, call) : fail(breaker, 'configuration', 1, call);
    case 'infrastructure':
      // All connections are in use, or another message is the probe: this says nothing about the provider.
      if (isStale || outcome.of) return breaker;
      return fail(breaker, 'infrastructure', FAILURES_UNTIL_OPEN, call);
    case 'ambiguous':
      return isStale ? breaker : fail(breaker, 'infrastructure', AMBIGUOUS_UNTIL_OPEN, call);
    case 'unclassified':
      return breaker;
    case 'accepted':
      return endThrottle(close(breaker, now), began);
    default:
      return close(breaker, now);
  }
}

/** Opens only after refusals for different people in a row: one person's subscription is no reason to stop. */
function refuseFor(breaker: CircuitBreaker, call: Call): CircuitBreaker {
  const refused_for = [...new Set([...breaker.refused_for, call.recipient])].slice(-PEOPLE_UNTIL_OPEN);
  if (refused_for.length < PEOPLE_UNTIL_OPEN) return { ...close(breaker, call.now), refused_for };
  return fail({ ...breaker, refused_for }, 'configuration', 1, call);
}

function fail(
  breaker: CircuitBreaker,
  why: 'infrastructure' | 'configuration',
  enough: number,
  { now, random }: Call,
): CircuitBreaker {
  if (breaker.state === 'open') return breaker;
  const failures = breaker.failures + 1;
  if (breaker.state === 'closed' && failures < enough) return { ...breaker, failures };
  const [first, longest] = COOL_DOWN_MS[why];
  const coolDownMs = Math.round(Math.min(longest, first * 2 ** breaker.openings) * (0.8 + 0.4 * random));
  const openings = breaker.openings + 1;
  return { ...breaker, state: 'open', why, failures, openings, retry_at: now + coolDownMs, changed_at: now };
}

function close(breaker: CircuitBreaker, now: number): CircuitBreaker {
  const answered = { ...breaker, failures: 0, refused_for: [] };
  if (breaker.state === 'closed') return answered;
  return { ...answered, state: 'closed', why: null, openings: 0, retry_at: 0, changed_at: now };
}

/** Concurrent calls that are throttled together count once. */
function throttle(breaker: CircuitBreaker, retryAfterMs: number, began: number, now: number): CircuitBreaker {
  const isAnother = began >= breaker.throttled_until;
  const throttles = isAnother ? breaker.throttles + 1 : breaker.throttles;
  const [first, longest] = THROTTLE_MS;
  const ownMs = Math.min(longest, first * 2 ** (throttles - 1));
  const until = now + Math.max(ownMs, retryAfterMs);
  return {
    ...breaker,
    throttles,
    throttled_at: now,
    throttled_until: Math.max(breaker.throttled_until, until),
    // A wait that the provider names applies to every message.
    throttled_until_urgent: retryAfterMs > 0 ? until : Math.min(until, now + URGENT_THROTTLE_MS),
  };
}

/** Ends the throttling if the accepted message was started after it. */
function endThrottle(breaker: CircuitBreaker, began: number): CircuitBreaker {
  if (began < breaker.throttled_at) return breaker;
  return { ...breaker, throttles: 0, throttled_at: 0, throttled_until: 0, throttled_until_urgent: 0 };
}

/**
 * The provider for the next message: the first in order that accepts messages. A non-urgent message may be the probe of a
 * provider whose cool-down is over; an urgent one only if no other provider is available.
 * @returns null if none is available
 */
export function pickProvider(breakers: readonly CircuitBreaker[], now: number, urgent = false): CircuitBreaker | null {
  if (!urgent) return breakers.find((one) => typeof availabilityOf(one, now) === 'string') ?? null;
  const available =
    breakers.find((one) => availabilityOf(one, now) === 'all') ??
    breakers.find((one) => availabilityOf(one, now, true) === 'all');
  return available ?? breakers.find((one) => availabilityOf(one, now, true) === 'one') ?? null;
}
