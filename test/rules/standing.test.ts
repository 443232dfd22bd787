import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../src/notifications/outcome.ts';
import {
  begun,
  ended,
  healthOf,
  newStanding,
  pick,
  restedUntil,
  roomOf,
  type Standing,
  waitOf,
} from '../../src/notifications/standing.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const down: Outcome = { kind: 'infrastructure', detail: 'smtp connect ECONNREFUSED' };
const wrongLogin: Outcome = { kind: 'configuration', detail: 'smtp 535' };
const wrongRoute: Outcome = { kind: 'configuration', detail: 'twilio 21408', of: 'route' };
const lost: Outcome = { kind: 'ambiguous', detail: 'smtp dot ECONNECTION' };
const crowded: Outcome = { kind: 'infrastructure', detail: 'smtp queue ETIMEDOUT', of: 'queue' };
const taken: Outcome = { kind: 'accepted' };

/** One message after the other, each taking `ms`. */
function having(outcomes: readonly Outcome[], { from = newStanding('a', 1, 0), at = 0, ms = 10 } = {}): Standing {
  let standing = from;
  let now = at;
  for (const outcome of outcomes) {
    const began = now;
    standing = begun(standing, began, 30 * SECOND);
    now += ms;
    standing = ended(standing, { outcome, began, now });
  }
  return standing;
}
const times = (n: number, outcome: Outcome): Outcome[] => Array.from({ length: n }, () => outcome);

/** delivery.md, "Retry table": which answers open the breaker of a provider. */
describe('a provider is left alone', () => {
  test.each<[string, Outcome[], Standing['state']]>([
    ['a failure or four', times(4, down), 'closed'],
    ['five in a row', times(5, down), 'open'],
    ['five with an answer between them', [...times(4, down), taken, down], 'closed'],
    ['also a refusal is an answer', [...times(4, down), { kind: 'bad_address', detail: 'smtp 550' }, down], 'closed'],
    ['so is "slow down"', [...times(4, down), { kind: 'throttled', detail: 'smtp 421' }, down], 'closed'],
    ['and "later"', [...times(4, down), { kind: 'transient', detail: 'smtp 451' }, down], 'closed'],
    ['one login that is refused', [wrongLogin], 'open'],
    ['one route that is refused', [wrongRoute], 'closed'],
    ['five routes in a row', times(5, wrongRoute), 'open'],
    ['nine texts that may have been taken', times(9, lost), 'closed'],
    ['ten of them', times(10, lost), 'open'],
    ['any number that waited for a connection', times(50, crowded), 'closed'],
    ['a fault of ours', times(50, { kind: 'unclassified', detail: 'email text' }), 'closed'],
  ])('%s', (_, outcomes, state) => {
    expect(having(outcomes).state).toBe(state);
  });

  test('and says why: wrong settings need somebody who mends them', () => {
    expect(having([wrongLogin]).why).toBe('configuration');
    expect(having(times(5, down)).why).toBe('infrastructure');
  });

  /** It opens, is tried out and fails, again and again. */
  test.each<[string, Outcome, number[]]>([
    ['infrastructure', down, [5, 10, 20, 40, 80, 160, 300, 300]],
    ['configuration', wrongLogin, [30, 60, 120, 240, 480, 600, 600, 600]],
  ])('for longer each time (%s), in seconds', (_, outcome, waits) => {
    let standing = having(times(outcome.kind === 'configuration' ? 1 : 5, outcome), { ms: 0 });
    let now = 0;
    for (const wait of waits) {
      expect(roomOf(standing, now)).toBe(wait * SECOND);
      expect(roomOf(standing, now + wait * SECOND - 1)).toBe(1);
      now += wait * SECOND;
      expect(roomOf(standing, now)).toBe('one');
      standing = having([outcome], { from: standing, at: now, ms: 0 });
    }
  });

  test('the single message that tries it out closes it for good when it is answered', () => {
    const open = having(times(5, down));
    const tried = having([taken], { from: open, at: open.until });
    expect(tried).toMatchObject({ state: 'closed', opened: 0, failures: 0 });
    expect(having(times(4, down), { from: tried, at: tried.since + 1 }).state).toBe('closed');
  });

  test('while one message tries it out no other is given to it, but one lost with its caller does not bar it', () => {
    const open = having(times(5, down));
    const trying = begun(open, open.until, 30 * SECOND);
    expect(trying.state).toBe('half_open');
    expect(roomOf(trying, open.until + 1)).toBeTypeOf('number');
    expect(roomOf(trying, open.until + 30 * SECOND)).toBe('one');
  });

  /** Seconds after it was opened for the n-th time: when bulk may try it out, and when something urgent may. */
  test.each([
    [1, 5, 1],
    [2, 10, 1.25],
    [4, 40, 5],
    [8, 300, 37.5],
  ])('opened for the %i. time: tried out after %d s, by something urgent after %d', (times_opened, bulk, urgent) => {
    let standing = having(times(5, down), { ms: 0 });
    for (let n = 1; n < times_opened; n += 1) standing = having([down], { from: standing, at: standing.until, ms: 0 });
    const from = standing.since;
    expect(roomOf(standing, from)).toBe(bulk * SECOND);
    expect(roomOf(standing, from, true)).toBe(urgent * SECOND);
    expect(roomOf(standing, from + urgent * SECOND, true)).toBe('one');
    expect(roomOf(standing, from + urgent * SECOND)).toBe((bulk - urgent) * SECOND);
  });

  test('something urgent that tries it out before its time in vain bars it for no longer than before', () => {
    const open = having(times(5, down), { ms: 0 });
    const again = having([down], { from: open, at: open.since + SECOND, ms: 0 });
    expect(roomOf(again, again.since)).toBe(5 * SECOND);
    expect(having([down], { from: again, at: again.until, ms: 0 })).toMatchObject({ opened: 2 });
  });

  test('something urgent tries it out beside a message that has hung for a second', () => {
    const open = having(times(5, down));
    const trying = begun(open, open.until, 30 * SECOND);
    expect(roomOf(trying, open.until + 1, true)).toBe(SECOND - 1);
    expect(roomOf(trying, open.until + SECOND, true)).toBe('one');
    const beside = having([taken], { from: trying, at: open.until + SECOND });
    expect(beside.state).toBe('closed');
    // What hung says nothing about it any more.
    const late = { outcome: down, began: open.until, now: open.until + 30 * SECOND };
    expect(ended(beside, late)).toMatchObject({ state: 'closed', failures: 0 });
  });

  test('wrong settings are no better for what is urgent', () => {
    const open = having([wrongLogin], { ms: 0 });
    expect(roomOf(open, 0, true)).toBe(30 * SECOND);
  });

  test('what was under way before it was opened neither opens it again nor for longer', () => {
    const open = having(times(5, down));
    expect(ended(open, { outcome: down, began: open.since - 1, now: open.since + 5 })).toMatchObject({
      until: open.until,
      opened: 1,
    });
  });
});

describe('a provider that asks for it gets a rest', () => {
  const slow = (retry_after_ms?: number): Outcome =>
    retry_after_ms === undefined
      ? { kind: 'throttled', detail: '' }
      : { kind: 'throttled', detail: '', retry_after_ms };

  test.each([
    [undefined, SECOND],
    [0, SECOND],
    [90 * SECOND, 90 * SECOND],
  ])('Retry-After %s: %d ms', (retry_after_ms, rest) => {
    expect(roomOf(having([slow(retry_after_ms)], { ms: 0 }), 0)).toBe(rest);
    expect(roomOf(having([slow(retry_after_ms)], { ms: 0 }), rest)).toBe('all');
  });

  test('for longer each time, up to a minute', () => {
    let standing = newStanding('a', 1, 0);
    let now = 0;
    for (const rest of [1, 2, 4, 8, 16, 32, 60, 60]) {
      standing = having([slow()], { from: standing, at: now, ms: 0 });
      expect(roomOf(standing, now)).toBe(rest * SECOND);
      now += rest * SECOND;
    }
    expect(roomOf(having([taken, slow()], { from: standing, at: now, ms: 0 }), now)).toBe(SECOND);
  });

  test('once, however many messages were under way and are told the same', () => {
    let standing = newStanding('a', 1, 0);
    for (let i = 0; i < 25; i++) standing = begun(standing, 0, 30 * SECOND);
    for (let i = 0; i < 25; i++) standing = ended(standing, { outcome: slow(), began: 0, now: 10 });
    expect(standing).toMatchObject({ throttles: 1, rests_until: 10 + SECOND, state: 'closed' });
  });

  test('that another process was asked for, and a shorter one never shortens it', () => {
    const resting = restedUntil(newStanding('a', 1, 0), 60 * SECOND);
    expect(roomOf(resting, 0)).toBe(60 * SECOND);
    expect(restedUntil(resting, 10).rests_until).toBe(60 * SECOND);
  });
});

/** A generator of chances that is the same in every run. */
function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** Shares in percent of 10,000 messages, each ended before the next. */
function shares(standings: readonly Standing[], now = 0): Record<string, number> {
  const random = chances(7);
  const counts: Record<string, number> = {};
  for (let i = 0; i < 10_000; i++) {
    const name = pick(standings, now, random)?.name ?? 'none';
    counts[name] = (counts[name] ?? 0) + 1 / 100;
  }
  return counts;
}

describe('the next message goes', () => {
  const a = newStanding('a', 1, 0);
  const b = newStanding('b', 1, 0);

  test('to equals alike', () => {
    const { a: toA = 0, b: toB = 0 } = shares([a, b]);
    expect(Math.min(toA, toB)).toBeGreaterThan(20);
    let [one, two] = [a, b];
    const random = chances(1);
    for (let i = 0; i < 100; i++) {
      if (pick([one, two], 0, random)?.name === 'a') one = begun(one, 0, SECOND);
      else two = begun(two, 0, SECOND);
    }
    expect(Math.abs(one.in_flight - two.in_flight)).toBeLessThanOrEqual(4);
  });

  test('more to the heavier one', () => {
    expect(shares([{ ...a, weight: 3 }, b]).a).toBeGreaterThan(70);
  });

  test('little to one that fails, and its share comes back with time alone', () => {
    const failing = having(times(4, down), { from: a, ms: 0 });
    const soon = shares([failing, b]).a ?? 0;
    const later = shares([failing, b], 10 * MINUTE).a ?? 0;
    expect(soon).toBeLessThan(25);
    expect(later).toBeGreaterThan(20);
    expect(later).toBeGreaterThan(soon);
    expect(healthOf(failing, 0)).toBeLessThan(0.7);
    expect(healthOf(failing, 10 * MINUTE)).toBeGreaterThan(0.99);
  });

  test('little to one that is slow, and its share comes back too', () => {
    const slow = having(times(20, taken), { from: a, ms: 2_000 });
    const fast = having(times(20, taken), { from: b, ms: 20 });
    const now = Math.max(slow.at, fast.at);
    expect(shares([slow, { ...fast, at: now }], now).a ?? 0).toBeLessThan(5);
    expect(shares([slow, fast], now + 15 * MINUTE).a).toBeGreaterThan(20);
  });

  test('never to one that is left alone, rests, or has just failed with this message', () => {
    const open = having(times(5, down), { from: a });
    expect(shares([open, b])).toEqual({ b: expect.closeTo(100) });
    expect(shares([restedUntil(a, SECOND), b])).toEqual({ b: expect.closeTo(100) });
    expect(pick([a, b], 0, () => 0, new Set(['a']))?.name).toBe('b');
    expect(pick([a, b], 0, () => 0, new Set(['a', 'b']))).toBeNull();
  });

  test('first of all, and once, to one whose time to be tried out has come', () => {
    const open = having(times(5, down), { from: a });
    expect(pick([open, b], open.until, () => 0.99)?.name).toBe('a');
    expect(pick([begun(open, open.until, SECOND), b], open.until, () => 0)?.name).toBe('b');
  });

  test('nowhere while nobody takes any: how long is known', () => {
    const open = having(times(5, down), { from: a, ms: 0 });
    const rests = restedUntil(b, 2 * SECOND);
    expect(pick([open, rests], 0, () => 0)).toBeNull();
    expect(waitOf([open, rests], 0)).toBe(2 * SECOND);
    expect(waitOf([], 0)).toBe(0);
  });
});
