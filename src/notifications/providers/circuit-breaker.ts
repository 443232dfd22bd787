import type { Outcome } from '../delivery/outcome.ts';

/**
 * The circuit breaker of one provider (an SMTP server, an SMS sender, a push service), as one process sees it. Pure:
 * instants are milliseconds of any steady clock.
 *
 * closed: takes messages · open: takes none until `retry_at` · half_open: one message, the probe, is on its way.
 * A provider that said "slow down" is throttled, which has nothing to do with the breaker.
 */
export type CircuitBreaker = {
  readonly name: string;
  readonly state: 'closed' | 'open' | 'half_open';
  /** why it is not closed */
  readonly why: 'infrastructure' | 'configuration' | null;
  /** failures since the last answer */
  readonly failures: number;
  /** recipients since the last answer for whom alone our settings were refused */
  readonly refused_for: readonly string[];
  /** openings since it was last closed: each cool-down is twice as long as the one before */
  readonly openings: number;
  /** open: the end of the cool-down; half_open: when the probe counts as lost */
  readonly retry_at: number;
  /** results of calls that began earlier say nothing about the present state */
  readonly changed_at: number;
  readonly throttled_at: number;
  readonly throttled_until: number;
  /** when urgent messages may try a throttled provider */
  readonly throttled_until_urgent: number;
  /** throttles since it last accepted a message */
  readonly throttles: number;
};

/** What a provider takes now: `all`, `one` as a probe, or nothing for so many milliseconds (at least 1). */
export type Availability = 'all' | 'one' | number;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** In a row; a few at once are what one broken connection costs. */
const FAILURES_UNTIL_OPEN = 5;
/** It answers and takes texts: in trouble, but there. */
const AMBIGUOUS_UNTIL_OPEN = 10;
/** Settings refused for one person may be that person's fault, e.g. a push subscription made under other keys. */
const PEOPLE_UNTIL_OPEN = 3;
/** First and longest cool-down. Repeated logins with a wrong password lock accounts, so that one is long. */
const COOL_DOWN_MS = { infrastructure: [5 * SECOND, 30 * SECOND], configuration: [30 * SECOND, 10 * MINUTE] } as const;
const THROTTLE_MS = [SECOND, MINUTE] as const;
/** With the wait of a throttled urgent message (retry.ts) it is less than 5 s. */
const URGENT_THROTTLE_MS = 2 * SECOND;
/** An urgent message waits no longer for a cool-down or somebody else's probe. */
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

/** What may be given to this provider now. */
export function availabilityOf(breaker: CircuitBreaker, now: number, urgent = false): Availability {
  const throttledMs = (urgent ? breaker.throttled_until_urgent : breaker.throttled_until) - now;
  if (throttledMs > 0) return Math.ceil(throttledMs);
  if (breaker.state === 'closed') return 'all';
  const probeAt = urgent ? urgentProbeAt(breaker) : breaker.retry_at;
  if (now >= probeAt) return 'one';
  // The probe under way may be answered any moment.
  return Math.ceil(breaker.state === 'open' ? probeAt - now : Math.min(probeAt - now, SECOND));
}

/** An unreachable provider is asked sooner for urgent messages: the recipients of bulk may hang, not the provider. */
const urgentProbeAt = ({ why, changed_at, retry_at }: CircuitBreaker): number =>
  why === 'infrastructure' ? Math.min(retry_at, changed_at + URGENT_WAIT_MS) : retry_at;

/** A message is given to the provider; where it is not closed, that is the probe. @param withinMs how long it may take */
export function startCall(breaker: CircuitBreaker, now: number, withinMs: number): CircuitBreaker {
  if (breaker.state === 'closed') return breaker;
  // A probe before the end of the cool-down does not make the next one longer.
  const openings = breaker.state === 'open' && now < breaker.retry_at ? breaker.openings - 1 : breaker.openings;
  return { ...breaker, openings, state: 'half_open', retry_at: now + withinMs, changed_at: now };
}

export type Call = {
  outcome: Outcome;
  /** when the call began, and when it was answered */
  began: number;
  now: number;
  /** in [0, 1): jitter of the cool-down */
  random: number;
  /** whom the message was for */
  recipient: string;
};

/** The breaker after a call. Any answer about the message, also a refusal, means that the provider works. */
export function recordCall(breaker: CircuitBreaker, call: Call): CircuitBreaker {
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
      // Every connection is in use, or another message is the probe: nothing is known of the provider.
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

/** Opens only once different people in a row were refused: one person's subscription is no reason to stop. */
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
  const coolDownMs = Math.round(Math.min(longest, first * 2 ** Math.min(breaker.openings, 20)) * (0.8 + 0.4 * random));
  const openings = breaker.openings + 1;
  return { ...breaker, state: 'open', why, failures, openings, retry_at: now + coolDownMs, changed_at: now };
}

function close(breaker: CircuitBreaker, now: number): CircuitBreaker {
  const answered = { ...breaker, failures: 0, refused_for: [] };
  if (breaker.state === 'closed') return answered;
  return { ...answered, state: 'closed', why: null, openings: 0, retry_at: 0, changed_at: now };
}

/** Several calls under way together that are told to slow down count once. */
function throttle(breaker: CircuitBreaker, retryAfterMs: number, began: number, now: number): CircuitBreaker {
  const isAnother = breaker.throttles === 0 || began >= breaker.throttled_until;
  const throttles = isAnother ? breaker.throttles + 1 : breaker.throttles;
  const [first, longest] = THROTTLE_MS;
  const ownMs = Math.min(longest, first * 2 ** Math.min(throttles - 1, 20));
  const until = now + Math.max(ownMs, retryAfterMs);
  return {
    ...breaker,
    throttles,
    throttled_at: now,
    throttled_until: Math.max(breaker.throttled_until, until),
    // A wait that the provider names itself holds for every message.
    throttled_until_urgent: retryAfterMs > 0 ? until : Math.min(until, now + URGENT_THROTTLE_MS),
  };
}

/** A message accepted that was begun after the throttle: the provider takes messages again. */
function endThrottle(breaker: CircuitBreaker, began: number): CircuitBreaker {
  if (breaker.throttles === 0 || began < breaker.throttled_at) return breaker;
  return { ...breaker, throttles: 0, throttled_at: 0, throttled_until: 0, throttled_until_urgent: 0 };
}

/**
 * The provider for the next message: the first in the given order that takes any. Another message than an urgent one
 * is also the probe of a provider whose cool-down is over; an urgent one only where no other provider takes it.
 * @returns null where none takes any
 */
export function pickProvider(breakers: readonly CircuitBreaker[], now: number, urgent = false): CircuitBreaker | null {
  if (!urgent) return breakers.find((one) => typeof availabilityOf(one, now) === 'string') ?? null;
  const takingAll =
    breakers.find((one) => availabilityOf(one, now) === 'all') ??
    breakers.find((one) => availabilityOf(one, now, true) === 'all');
  return takingAll ?? breakers.find((one) => availabilityOf(one, now, true) === 'one') ?? null;
}
