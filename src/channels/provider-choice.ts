import type { Outcome } from '../notifications/outcome.ts';
import type { ProviderNotice } from '../notifications/ports.ts';
import {
  begun,
  ended,
  newStanding,
  pick,
  restedUntil,
  roomOf,
  type Standing,
  waitOf,
} from '../notifications/standing.ts';

/** Chooses among the providers of one channel, and stops troubling those that are in trouble. */
export type ProviderChoice = {
  /**
   * Has one message carried by the best placed of the named providers. Where nothing of it has reached a provider, or it
   * asked us to slow down, the next one gets it while half of the time is left; never where one may have taken it.
   * @param urgent it may try out a provider that is left alone by the others
   */
  send(
    names: readonly string[],
    work: (name: string, withinMs: number) => Promise<Outcome>,
    urgent?: boolean,
  ): Promise<Outcome>;
  /** What may be given to these now; all of them where none is named. */
  room(names?: readonly string[], urgent?: boolean): 'all' | 'one' | number;
  /** Another process was told that this provider wants a rest. */
  rest(name: string, forMs: number): void;
  standings(): readonly Standing[];
};

export type ProviderChoiceOptions = {
  /** known from the start; others join with weight 1 when they are first named */
  weights?: Readonly<Record<string, number>>;
  sendTimeoutMs: number;
  notice?: (notice: ProviderNotice) => void;
  /** a steady clock in milliseconds, and chance; for tests */
  now?: () => number;
  random?: () => number;
};

/** Outcomes after which nobody has the message: another provider may have it at once. */
const FAILS_OVER: ReadonlySet<Outcome['kind']> = new Set(['infrastructure', 'throttled', 'configuration']);
/** Push services come and go with subscriptions: those that do well need not be remembered for ever. */
const MOST_KEPT = 500;

/**
 * State is kept by each process for itself: what one can't reach another may, nothing is asked of Redis before a
 * message, and an outage costs one message per process and probe. Only "slow down" is shared (queues/permits.ts).
 */
export function providerChoice(options: ProviderChoiceOptions): ProviderChoice {
  const { weights = {}, sendTimeoutMs, notice = () => {}, random = Math.random } = options;
  const now = options.now ?? (() => performance.now());
  const known = new Map<string, Standing>();
  for (const [name, weight] of Object.entries(weights)) known.set(name, newStanding(name, weight, now()));

  function standingOf(name: string): Standing {
    const found = known.get(name);
    if (found) return found;
    if (known.size >= MOST_KEPT) forget();
    const made = newStanding(name, 1, now());
    known.set(name, made);
    return made;
  }

  function forget(): void {
    for (const [name, { state, in_flight }] of known) {
      if (state === 'closed' && in_flight === 0 && !(name in weights)) known.delete(name);
    }
  }

  async function send(
    names: readonly string[],
    work: (name: string, withinMs: number) => Promise<Outcome>,
    urgent = false,
  ): Promise<Outcome> {
    const endsAt = now() + sendTimeoutMs;
    const tried = new Set<string>();
    let last: Outcome = { kind: 'infrastructure', detail: 'no provider takes messages now', of: 'turn' };
    for (;;) {
      const began = now();
      const left = endsAt - began;
      const chosen = pick(names.map(standingOf), began, random, tried, urgent);
      if (!chosen || (tried.size > 0 && left < sendTimeoutMs / 2)) return last;
      const { name } = chosen;
      known.set(name, begun(chosen, began, sendTimeoutMs));
      const outcome = await work(name, left);
      settle(name, outcome, began);
      if (outcome.kind === 'accepted' || outcome.kind === 'ambiguous') return { ...outcome, provider: name };
      if (!FAILS_OVER.has(outcome.kind)) return outcome;
      tried.add(name);
      last = outcome;
    }
  }

  function settle(name: string, outcome: Outcome, began: number): void {
    const at = now();
    const before = standingOf(name);
    const after = ended(before, { outcome, began, now: at });
    known.set(name, after);
    const detail = 'detail' in outcome ? outcome.detail : null;
    const told = { provider: name, outcome: outcome.kind, detail };
    notice({ ...told, what: 'answered' });
    if (after.state === 'open' && before.state !== 'open') {
      notice({ ...told, what: 'opened', why: after.why ?? 'infrastructure', forMs: Math.round(after.until - at) });
    } else if (after.state === 'closed' && before.state !== 'closed') {
      notice({ ...told, what: 'closed' });
    }
    if (outcome.kind === 'throttled') {
      notice({ ...told, what: 'throttled', forMs: Math.round(after.rests_until - at), share: shareOf(name) });
    }
  }

  function shareOf(name: string): number {
    const all = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
    return all === 0 ? 0 : (weights[name] ?? 0) / all;
  }

  return {
    send,
    room(names = [...known.keys()], urgent = false) {
      const at = now();
      const standings = names.map(standingOf);
      if (standings.length === 0) return 'all';
      const rooms = standings.map((one) => roomOf(one, at, urgent));
      if (rooms.includes('all')) return 'all';
      return rooms.includes('one') ? 'one' : waitOf(standings, at, urgent);
    },
    rest(name, forMs) {
      known.set(name, restedUntil(standingOf(name), now() + forMs));
    },
    standings: () => [...known.values()],
  };
}
