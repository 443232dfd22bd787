import type { Outcome } from '../notifications/delivery/outcome.ts';
import type { ProviderNotice } from '../notifications/ports.ts';
import {
  type Availability,
  availabilityOf,
  type CircuitBreaker,
  newBreaker,
  pickProvider,
  recordCall,
  startCall,
} from '../notifications/providers/circuit-breaker.ts';

/** Limits of one call to a provider, in milliseconds. */
export type CallLimits = {
  withinMs: number;
  /** by then the text must be on its way, or the message is given back for the next provider */
  startWithinMs: number;
};

/** The providers of one channel: a primary and its fallbacks, each behind a circuit breaker. */
export type Failover = {
  /**
   * Has one message sent by the first of the named providers that takes messages. Where it certainly has nothing of the
   * message, the next one gets it in the time that is left; never where it may have taken the message.
   */
  send(
    names: readonly string[],
    call: (name: string, limits: CallLimits) => Promise<Outcome>,
    message: { urgent: boolean; recipient: string },
  ): Promise<Outcome>;
  /** What may be given to these providers now; to all where none is named. */
  availability(names?: readonly string[], urgent?: boolean): Availability;
  breakers(): readonly CircuitBreaker[];
};

export type FailoverOptions = {
  /** known from the start; others join when they are first named */
  names?: readonly string[];
  sendTimeoutMs: number;
  notice?: (notice: ProviderNotice) => void;
  /**
   * Tries a provider out with no message, so that an urgent one is never the probe. @returns what is wrong, or null;
   * without it the urgent message itself is sent
   */
  check?: (name: string, withinMs: number) => Promise<Outcome | null>;
  /** a steady clock in milliseconds, and chance; for tests */
  now?: () => number;
  random?: () => number;
};

/** Outcomes after which no provider has the message: the next one may get it at once. */
const FAILS_OVER: ReadonlySet<Outcome['kind']> = new Set(['infrastructure', 'throttled', 'configuration']);
/** An urgent message waits no longer on a provider that hangs while another takes messages. */
const URGENT_HANG_MS = 2_500;
/** Push services come and go with subscriptions: those that do well need not be remembered for ever. */
const MOST_KEPT = 500;

/**
 * Each process keeps state of its own: a provider that one process can't reach may be reached by another, nothing is
 * asked of Redis before a message, and an outage costs one message per process and probe.
 */
export function failover(options: FailoverOptions): Failover {
  const { names: known = [], sendTimeoutMs, notice = () => {}, check, random = Math.random } = options;
  const now = options.now ?? (() => performance.now());
  const breakers = new Map(known.map((name) => [name, newBreaker(name, now())]));

  function breakerOf(name: string): CircuitBreaker {
    const found = breakers.get(name);
    if (found) return found;
    if (breakers.size >= MOST_KEPT) forgetClosed();
    const made = newBreaker(name, now());
    breakers.set(name, made);
    return made;
  }

  function forgetClosed(): void {
    for (const { name, state } of breakers.values()) {
      if (state === 'closed' && !known.includes(name)) breakers.delete(name);
    }
  }

  const send: Failover['send'] = async (names, call, { urgent, recipient }) => {
    const endsAt = now() + sendTimeoutMs;
    const untried = new Set(names);
    let last: Outcome = { kind: 'infrastructure', detail: 'no provider takes messages now', of: 'turn' };
    for (;;) {
      const began = now();
      const left = endsAt - began;
      const candidates = [...untried].map(breakerOf);
      const breaker = pickProvider(candidates, began, urgent);
      if (!breaker || left < sendTimeoutMs / 4) return last;
      const { name } = breaker;
      untried.delete(name);
      const hasFallback = candidates.some((one) => one.name !== name && availabilityOf(one, began, urgent) === 'all');
      breakers.set(name, startCall(breaker, began, left));
      const outcome =
        (urgent && breaker.state !== 'closed' && (await check?.(name, Math.min(left / 3, URGENT_HANG_MS)))) ||
        (await call(name, limitsOf(endsAt - now(), urgent, hasFallback)));
      record(name, outcome, began, recipient);
      if (outcome.kind === 'accepted' || outcome.kind === 'ambiguous') return { ...outcome, provider: name };
      if (!FAILS_OVER.has(outcome.kind)) return outcome;
      last = outcome;
    }
  };

  function record(name: string, outcome: Outcome, began: number, recipient: string): void {
    const at = now();
    const before = breakerOf(name);
    const after = recordCall(before, { outcome, began, now: at, random: random(), recipient });
    breakers.set(name, after);
    // A refusal of one of the first recipients is no news about our settings yet.
    const kind = outcome.kind === 'configuration' && outcome.of === 'recipient' ? 'refused' : outcome.kind;
    const told = { provider: name, outcome: kind, detail: 'detail' in outcome ? outcome.detail : null };
    notice({ ...told, what: 'answered' });
    if (after.state === 'open' && before.state !== 'open') {
      notice({ ...told, what: 'opened', why: after.why ?? 'infrastructure', forMs: Math.round(after.retry_at - at) });
    } else if (after.state === 'closed' && before.state !== 'closed') {
      notice({ ...told, what: 'closed' });
    }
    if (outcome.kind === 'throttled') {
      notice({ ...told, what: 'throttled', forMs: Math.round(after.throttled_until - at) });
    }
  }

  return {
    send,
    availability(names = [...breakers.keys()], urgent = false) {
      const at = now();
      const rooms = names.map((name) => availabilityOf(breakerOf(name), at, urgent));
      if (rooms.length === 0 || rooms.includes('all')) return 'all';
      return rooms.includes('one') ? 'one' : Math.min(...rooms.filter((room) => typeof room === 'number'));
    },
    breakers: () => [...breakers.values()],
  };
}

/** A third of the time is enough to find out that a provider hangs, and leaves its fallback twice as much. */
function limitsOf(withinMs: number, urgent: boolean, hasFallback: boolean): CallLimits {
  if (!hasFallback) return { withinMs, startWithinMs: (withinMs * 2) / 3 };
  return { withinMs, startWithinMs: Math.min(withinMs / 3, urgent ? URGENT_HANG_MS : withinMs) };
}
