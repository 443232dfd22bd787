import type { ProviderNotice } from '../notifications/channel-adapter.ts';
import type { Outcome } from '../notifications/outcome.ts';
import {
  type Availability,
  availabilityOf,
  type CircuitBreaker,
  endCall,
  newBreaker,
  pickProvider,
  startCall,
} from '../notifications/providers/circuit-breaker.ts';

/** Limits of one call to a provider, in milliseconds. */
export type CallLimits = {
  withinMs: number;
  /** deadline for starting to send the text; after it the message goes to the next provider */
  startWithinMs: number;
};

type FailoverOptions = {
  /** known from the start; others join when they are first named */
  names?: readonly string[];
  sendTimeoutMs: number;
  notice?: (notice: ProviderNotice) => void;
  /** a steady clock in milliseconds, and chance; for tests */
  now?: () => number;
  random?: () => number;
};

/** Probes a provider without a message. @returns what is wrong, or null */
type Check<Provider> = (provider: Provider, withinMs: number) => Promise<Outcome | null>;

/** Outcomes after which the provider certainly does not have the message. */
const FAILS_OVER: ReadonlySet<Outcome['kind']> = new Set(['infrastructure', 'throttled', 'configuration']);
/** An urgent message leaves a provider that hangs after this time, if another provider is available. */
const URGENT_HANG_MS = 2_500;
/** Push services come and go with subscriptions: beyond this number, closed breakers are dropped. */
const MAX_BREAKERS = 500;

/**
 * The providers of one channel: a primary and its fallbacks, each behind a circuit breaker.
 *
 * Each process has its own breakers: one process may reach a provider that another can't, no message waits for Redis, and
 * an outage costs one message per process and probe.
 */
export function failover(options: FailoverOptions) {
  const { names: known = [], sendTimeoutMs, notice = () => {}, random = Math.random } = options;
  const now = options.now ?? (() => performance.now());
  const breakers = new Map(known.map((name) => [name, newBreaker(name, now())]));

  function breakerOf(name: string): CircuitBreaker {
    const found = breakers.get(name);
    if (found) return found;
    if (breakers.size >= MAX_BREAKERS) dropClosed();
    const made = newBreaker(name, now());
    breakers.set(name, made);
    return made;
  }

  function dropClosed(): void {
    for (const { name, state } of breakers.values()) {
      if (state === 'closed' && !known.includes(name)) breakers.delete(name);
    }
  }

  /**
   * Sends one message over the first of these providers that accepts messages. If that provider certainly did not get
   * the message, the next one gets it within the remaining time; never if it may have accepted the message.
   * @param providers by name, the primary first; with `check` an urgent message is never the probe
   */
  async function send<Provider>(
    providers: Readonly<Record<string, Provider>>,
    call: (provider: Provider, limits: CallLimits) => Promise<Outcome>,
    { urgent, recipient, check }: { urgent: boolean; recipient: string; check?: Check<Provider> },
  ): Promise<Outcome> {
    const endsAt = now() + sendTimeoutMs;
    const untried = new Set(Object.keys(providers));
    let last: Outcome = { kind: 'infrastructure', detail: 'no provider available', of: 'turn' };
    for (;;) {
      const began = now();
      const left = endsAt - began;
      const candidates = [...untried].map(breakerOf);
      const breaker = pickProvider(candidates, began, urgent);
      if (!breaker || left < sendTimeoutMs / 4) return last;
      const { name } = breaker;
      const provider = providers[name] as Provider;
      untried.delete(name);
      const hasFallback = candidates.some((one) => one.name !== name && availabilityOf(one, began, urgent) === 'all');
      breakers.set(name, startCall(breaker, began, left));
      const outcome =
        (urgent && breaker.state !== 'closed' && (await check?.(provider, Math.min(left / 3, URGENT_HANG_MS)))) ||
        (await call(provider, limitsOf(endsAt - now(), urgent, hasFallback)));
      record(name, outcome, began, recipient);
      if (outcome.kind === 'accepted' || outcome.kind === 'ambiguous') return { ...outcome, provider: name };
      if (!FAILS_OVER.has(outcome.kind)) return outcome;
      last = outcome;
    }
  }

  function record(name: string, outcome: Outcome, began: number, recipient: string): void {
    const at = now();
    const before = breakerOf(name);
    const after = endCall(before, { outcome, began, now: at, random: random(), recipient });
    breakers.set(name, after);
    // A refusal of one of the first recipients does not prove wrong settings yet.
    const kind = outcome.kind === 'configuration' && outcome.of === 'recipient' ? 'refused' : outcome.kind;
    const call = { provider: name, outcome: kind, detail: 'detail' in outcome ? outcome.detail : null };
    notice({ ...call, what: 'answered' });
    if (after.state === 'open' && before.state !== 'open') {
      notice({ ...call, what: 'opened', why: after.why ?? 'infrastructure', forMs: Math.round(after.retry_at - at) });
    } else if (after.state === 'closed' && before.state !== 'closed') {
      notice({ ...call, what: 'closed' });
    }
    if (outcome.kind === 'throttled') {
      notice({ ...call, what: 'throttled', forMs: Math.round(after.throttled_until - at) });
    }
  }

  return {
    send,
    /** how many messages these providers accept now */
    availability(names: readonly string[], urgent?: boolean): Availability {
      const at = now();
      const each = names.map((name) => availabilityOf(breakerOf(name), at, urgent));
      if (each.length === 0 || each.includes('all')) return 'all';
      return each.includes('one') ? 'one' : Math.min(...each.filter((one) => typeof one === 'number'));
    },
    breakers: () => [...breakers.values()],
  };
}

export type Failover = ReturnType<typeof failover>;

/** A third of the time shows that a provider hangs, and leaves two thirds for the fallback. */
function limitsOf(withinMs: number, urgent: boolean, hasFallback: boolean): CallLimits {
  if (!hasFallback) return { withinMs, startWithinMs: (withinMs * 2) / 3 };
  return { withinMs, startWithinMs: Math.min(withinMs / 3, urgent ? URGENT_HANG_MS : withinMs) };
}
