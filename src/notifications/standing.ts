import type { Outcome } from './outcome.ts';

/**
 * How one provider (an SMTP server, an SMS sender, a push service) has been doing, as one process sees it. A pure noun:
 * instants are milliseconds of any steady clock.
 *
 * closed: takes messages · open: takes none until `until` · half_open: one message is trying it out. A provider that said
 * "slow down" rests until `rests_until` without being thought ill of.
 */
export type Standing = {
  readonly name: string;
  /** how much of the traffic it gets next to the others while all do well */
  readonly weight: number;
  readonly state: 'closed' | 'open' | 'half_open';
  /** why it is open */
  readonly why: 'infrastructure' | 'configuration' | null;
  /** failures of one kind since the last answer */
  readonly failures: number;
  /** how often it has been opened since it last did well: each time for longer */
  readonly opened: number;
  readonly until: number;
  readonly rests_until: number;
  readonly throttles: number;
  /** since when it has its state: what began earlier says nothing about it any more */
  readonly since: number;
  /** between 0 and 1: share of messages it answered, lately */
  readonly health: number;
  /** milliseconds a message takes, lately; null: not known */
  readonly ms: number | null;
  readonly in_flight: number;
  /** when health was last told */
  readonly at: number;
};

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** In a row, without an answer between them; a few at once are what one broken connection costs. */
const FAILURES_UNTIL_OPEN = 5;
/** It answers and takes texts: in trouble, but there. */
const DOUBTS_UNTIL_OPEN = 10;
const OPEN_MS = { infrastructure: [5 * SECOND, 5 * MINUTE], configuration: [30 * SECOND, 10 * MINUTE] } as const;
const REST_MS = [SECOND, MINUTE] as const;
/** So many times sooner something urgent may try a provider out. */
const URGENT_SOONER = 8;
/** Weight of the newest message in what is remembered. */
const NEWEST = 0.1;
/** Half of what is held against a provider is forgotten in this time: it tends back by itself. */
const FORGIVEN_IN_MS = MINUTE;
/** Never quite without traffic, or nobody would learn that it does well again. */
const LEAST_MERIT = 0.02;

export const newStanding = (name: string, weight: number, at: number): Standing => ({
  name,
  weight,
  state: 'closed',
  why: null,
  failures: 0,
  opened: 0,
  until: 0,
  rests_until: 0,
  throttles: 0,
  since: at,
  health: 1,
  ms: null,
  in_flight: 0,
  at,
});

/**
 * What may be given to it now: `all`, `one` to try it out, or nothing for so many milliseconds (at least 1).
 * @param urgent what is to be given to it
 */
export function roomOf(standing: Standing, now: number, urgent = false): 'all' | 'one' | number {
  const rest = standing.rests_until - now;
  if (rest > 0) return Math.ceil(rest);
  if (standing.state === 'closed') return 'all';
  const until = urgent ? urgentFrom(standing) : standing.until;
  // The one that tries it out may have been lost with its caller.
  if (now >= until) return 'one';
  return Math.ceil(standing.state === 'open' ? until - now : Math.min(until - now, SECOND));
}

/**
 * When something urgent may try out a provider that others leave alone. One that can't be reached is tried sooner: it may
 * be recipients of bulk that hang and no fault of the server, as with the message that tries it out now.
 */
function urgentFrom({ state, why, since, until }: Standing): number {
  if (why !== 'infrastructure') return until;
  const wait = state === 'open' ? Math.max(SECOND, (until - since) / URGENT_SOONER) : SECOND;
  return Math.min(until, since + wait);
}

/** A message was given to it. @param withinMs how long a try may take: after that another one may be made */
export function begun(standing: Standing, now: number, withinMs: number): Standing {
  const in_flight = standing.in_flight + 1;
  if (standing.state === 'closed') return { ...standing, in_flight };
  // Tried before its time: should that fail, it is left alone for as long as before, and no longer.
  const opened = standing.state === 'open' && now < standing.until ? standing.opened - 1 : standing.opened;
  return { ...standing, in_flight, opened, state: 'half_open', until: now + withinMs, since: now };
}

/**
 * What became of a message it was given. An answer about the message, also a refusal, means that it works. Failures open
 * it (delivery.md, "Retry table"); "slow down" lets it rest.
 */
export function ended(
  standing: Standing,
  { outcome, began, now }: { outcome: Outcome; began: number; now: number },
): Standing {
  const told = { ...standing, in_flight: Math.max(0, standing.in_flight - 1) };
  const isStale = began < standing.since;
  switch (outcome.kind) {
    case 'throttled':
      return rested(closed(judged(told, 0.7, now), now), outcome.retry_after_ms ?? 0, began, now);
    case 'configuration':
      // What only concerns a route (one country, one subscription) is no reason to stop at once.
      return isStale ? told : failed(told, 'configuration', outcome.of === 'route' ? FAILURES_UNTIL_OPEN : 1, now);
    case 'infrastructure':
      // Every connection is in use: slow, but there.
      if (outcome.of === 'queue') return judged(told, 0.5, now);
      return isStale ? judged(told, 0, now) : failed(judged(told, 0, now), 'infrastructure', FAILURES_UNTIL_OPEN, now);
    case 'ambiguous':
      return isStale ? judged(told, 0, now) : failed(judged(told, 0, now), 'infrastructure', DOUBTS_UNTIL_OPEN, now);
    case 'unclassified':
      return told;
    case 'transient':
      // An answer, but of a server in trouble; also what greylisting looks like.
      return closed(judged(told, 0.8, now), now);
    default:
      return closed(timed(judged(told, 1, now), now - began), now);
  }
}

function failed(standing: Standing, why: 'infrastructure' | 'configuration', enough: number, now: number): Standing {
  if (standing.state === 'open') return standing;
  const failures = standing.failures + 1;
  if (standing.state === 'closed' && failures < enough) return { ...standing, failures };
  const [first, most] = OPEN_MS[why];
  const forMs = Math.min(most, first * 2 ** Math.min(standing.opened, 20));
  return { ...standing, state: 'open', why, failures, opened: standing.opened + 1, until: now + forMs, since: now };
}

function closed(standing: Standing, now: number): Standing {
  if (standing.state === 'closed') return standing.failures === 0 ? standing : { ...standing, failures: 0 };
  return { ...standing, state: 'closed', why: null, failures: 0, opened: 0, until: 0, since: now };
}

/** Many that were under way together are told to slow down together: that is one time. */
function rested(standing: Standing, retry_after_ms: number, began: number, now: number): Standing {
  const again = began >= standing.rests_until || standing.throttles === 0;
  const throttles = again ? standing.throttles + 1 : standing.throttles;
  const [first, most] = REST_MS;
  const own = Math.min(most, first * 2 ** Math.min(throttles - 1, 20));
  return { ...standing, throttles, rests_until: Math.max(standing.rests_until, now + Math.max(own, retry_after_ms)) };
}

/** Told by another process that this provider wants a rest. */
export const restedUntil = (standing: Standing, until: number): Standing =>
  until > standing.rests_until ? { ...standing, rests_until: until } : standing;

function judged(standing: Standing, how: number, now: number): Standing {
  const health = healthOf(standing, now);
  const throttles = how === 1 ? 0 : standing.throttles;
  return { ...standing, health: health + (how - health) * NEWEST, throttles, at: now };
}

const timed = (standing: Standing, ms: number): Standing => ({
  ...standing,
  ms: standing.ms === null ? ms : standing.ms + (ms - standing.ms) * NEWEST,
});

/** What was held against it fades, so that one demoted by failures gets its share back without anybody's doing. */
export function healthOf({ health, at }: Standing, now: number): number {
  return 1 - (1 - health) * 0.5 ** (Math.max(0, now - at) / FORGIVEN_IN_MS);
}

/**
 * Which provider takes the next message: of two drawn by weight and health the one expected to be done sooner ("power of
 * two choices"); one that has to be tried out gets its single message first.
 * @param except those that have just failed with this message
 * @returns null where none may take any
 */
export function pick(
  standings: readonly Standing[],
  now: number,
  random: () => number,
  except: ReadonlySet<string> = new Set(),
  urgent = false,
): Standing | null {
  const able: Standing[] = [];
  for (const one of standings) {
    if (except.has(one.name)) continue;
    const room = roomOf(one, now, urgent);
    if (room === 'one') return one;
    if (room === 'all') able.push(one);
  }
  if (able.length < 2) return able[0] ?? null;
  const [first, second] = [drawn(able, now, random()), drawn(able, now, random())];
  return loadOf(second, now) < loadOf(first, now) ? second : first;
}

/** One of them, each as often as its weight, health and speed next to the fastest say. */
function drawn(able: readonly Standing[], now: number, at: number): Standing {
  const fastest = Math.min(...able.map((one) => msOf(one, now)));
  const shares = able.map((one) => {
    const merit = healthOf(one, now) ** 3 * (fastest / msOf(one, now));
    return one.weight * Math.max(LEAST_MERIT, merit);
  });
  let left = at * shares.reduce((sum, share) => sum + share, 0);
  for (const [i, one] of able.entries()) {
    left -= shares[i] ?? 0;
    if (left < 0) return one;
  }
  return able.at(-1) as Standing;
}

/** What a message takes there, in milliseconds; slowness is forgotten as failures are, and unknown is thought fast. */
const msOf = ({ ms, at }: Standing, now: number): number =>
  Math.max(1, (ms ?? 1) * 0.5 ** (Math.max(0, now - at) / FORGIVEN_IN_MS));

/** Work ahead of a new message there, by weight. */
const loadOf = (one: Standing, now: number): number => ((one.in_flight + 1) * msOf(one, now)) / one.weight;

/** When the first of them may take a message again: 0 is now. */
export function waitOf(standings: readonly Standing[], now: number, urgent = false): number {
  if (standings.length === 0) return 0;
  return Math.min(...standings.map((one) => numberOf(roomOf(one, now, urgent))));
}

const numberOf = (room: 'all' | 'one' | number): number => (typeof room === 'number' ? room : 0);
