import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../src/notifications/delivery/outcome.ts';
import {
  availabilityOf,
  type CircuitBreaker,
  newBreaker,
  pickProvider,
  recordCall,
  startCall,
} from '../../../src/notifications/providers/circuit-breaker.ts';

const SECOND = 1_000;
/** No jitter. */
const MIDDLE = 0.5;

const down: Outcome = { kind: 'infrastructure', detail: 'smtp connect ECONNREFUSED' };
const wrongLogin: Outcome = { kind: 'configuration', detail: 'smtp 535' };
const refusedRoute: Outcome = { kind: 'configuration', detail: 'push 403', of: 'route' };
const lost: Outcome = { kind: 'ambiguous', detail: 'smtp dot ECONNECTION' };
const crowded: Outcome = { kind: 'infrastructure', detail: 'smtp queue ETIMEDOUT', of: 'queue' };
const throttled: Outcome = { kind: 'throttled', detail: 'smtp 421 4.7.0' };
const accepted: Outcome = { kind: 'accepted' };

type Step = Outcome | { outcome: Outcome; recipient: string };

/** The breaker after these sequential calls, each taking `ms`. */
function breakerAfter(steps: readonly Step[], { from = newBreaker('a', 0), at = 0, ms = 10, random = MIDDLE } = {}) {
  let breaker: CircuitBreaker = from;
  let now = at;
  for (const [n, step] of steps.entries()) {
    const began = now;
    const { outcome, recipient } = 'outcome' in step ? step : { outcome: step, recipient: `person-${n}` };
    breaker = startCall(breaker, began, 30 * SECOND);
    now += ms;
    breaker = recordCall(breaker, { outcome, began, now, random, recipient });
  }
  return breaker;
}
const times = (n: number, step: Step): Step[] => Array.from({ length: n }, () => step);
const refusedFor = (recipient: string): Step => ({ outcome: refusedRoute, recipient });

describe('a breaker', () => {
  test.each<[string, Step[], CircuitBreaker['state']]>([
    ['stays closed after four failures', times(4, down), 'closed'],
    ['opens after five failures in a row', times(5, down), 'open'],
    ['stays closed after five failures with an answer between them', [...times(4, down), accepted, down], 'closed'],
    ['counts a refusal as an answer', [...times(4, down), { kind: 'bad_address', detail: 'smtp 550' }, down], 'closed'],
    ['counts "slow down" as an answer', [...times(4, down), throttled, down], 'closed'],
    ['counts "later" as an answer', [...times(4, down), { kind: 'transient', detail: 'smtp 451' }, down], 'closed'],
    ['opens after one refused login', [wrongLogin], 'open'],
    ['stays closed after 50 refusals for one person', times(50, refusedFor('ada')), 'closed'],
    [
      'stays closed after alternating refusals for two people',
      times(9, refusedFor('ada')).flatMap((one) => [one, refusedFor('bob')]),
      'closed',
    ],
    ['opens after refusals for three people in a row', ['ada', 'bob', 'cyd'].map(refusedFor), 'open'],
    [
      'stays closed after refusals for three people with an accepted message between',
      [refusedFor('ada'), refusedFor('bob'), accepted, refusedFor('cyd')],
      'closed',
    ],
    ['stays closed after nine lost answers', times(9, lost), 'closed'],
    ['opens after ten lost answers', times(10, lost), 'open'],
    ['stays closed however many messages found no free connection', times(50, crowded), 'closed'],
    ['stays closed after faults of ours', times(50, { kind: 'unclassified', detail: 'email text' }), 'closed'],
    [
      'stays closed after refusals of the first recipients',
      times(50, { kind: 'configuration', detail: 'smtp 550', of: 'recipient' }),
      'closed',
    ],
  ])('%s', (_, steps, state) => {
    expect(breakerAfter(steps).state).toBe(state);
  });

  test('names configuration as the cause if an operator is needed', () => {
    expect(breakerAfter([wrongLogin]).why).toBe('configuration');
    expect(breakerAfter(times(5, down)).why).toBe('infrastructure');
  });

  test.each<[string, Step, number[]]>([
    ['an unreachable provider', down, [5, 10, 20, 30, 30]],
    ['refused settings', wrongLogin, [30, 60, 120, 240, 480, 600, 600]],
  ])('cools down longer after each failed probe (%s)', (_, step, waits) => {
    let breaker = breakerAfter(times(step === wrongLogin ? 1 : 5, step), { ms: 0 });
    let now = 0;
    for (const wait of waits) {
      expect(availabilityOf(breaker, now)).toBe(wait * SECOND);
      expect(availabilityOf(breaker, now + wait * SECOND - 1)).toBe(1);
      now += wait * SECOND;
      expect(availabilityOf(breaker, now)).toBe('one');
      breaker = breakerAfter([step], { from: breaker, at: now, ms: 0 });
    }
  });

  test('has a jitter of a fifth, so that processes do not probe together', () => {
    const coolDown = (random: number) => availabilityOf(breakerAfter(times(5, down), { ms: 0, random }), 0);
    expect([coolDown(0), coolDown(MIDDLE), coolDown(1)]).toEqual([4_000, 5_000, 6_000]);
  });

  test('closes when its probe is answered', () => {
    const open = breakerAfter(times(5, down));
    const closed = breakerAfter([accepted], { from: open, at: open.retry_at });
    expect(closed).toMatchObject({ state: 'closed', openings: 0, failures: 0 });
    expect(breakerAfter(times(4, down), { from: closed, at: closed.changed_at + 1 }).state).toBe('closed');
  });

  test('closes when its probe is refused for one person, unless that is why it opened', () => {
    const wasDown = breakerAfter(times(5, down));
    expect(breakerAfter([refusedFor('ada')], { from: wasDown, at: wasDown.retry_at }).state).toBe('closed');
    const wasRefused = breakerAfter(['ada', 'bob', 'cyd'].map(refusedFor));
    expect(breakerAfter([refusedFor('dan')], { from: wasRefused, at: wasRefused.retry_at }).state).toBe('open');
  });

  test('lets no second message through while its probe is in flight', () => {
    const open = breakerAfter(times(5, down));
    const probing = startCall(open, open.retry_at, 30 * SECOND);
    expect(probing.state).toBe('half_open');
    expect(availabilityOf(probing, open.retry_at + 1)).toBeTypeOf('number');
    expect(availabilityOf(probing, open.retry_at + 30 * SECOND)).toBe('one');
  });

  test('waits at most 3 s for an urgent message, unless our settings are refused', () => {
    let open = breakerAfter(times(5, down), { ms: 0 });
    for (let n = 0; n < 5; n += 1) open = breakerAfter([down], { from: open, at: open.retry_at, ms: 0 });
    expect([availabilityOf(open, open.changed_at), availabilityOf(open, open.changed_at, true)]).toEqual([
      30 * SECOND,
      3 * SECOND,
    ]);
    expect(availabilityOf(open, open.changed_at + 3 * SECOND, true)).toBe('one');
    const refused = breakerAfter([wrongLogin], { ms: 0 });
    expect(availabilityOf(refused, 0, true)).toBe(30 * SECOND);
  });

  test('lets an urgent message pass a probe that has hung for 3 s, and ignores the late result of the probe', () => {
    const open = breakerAfter(times(5, down));
    const probeAt = open.retry_at;
    const probing = startCall(open, probeAt, 30 * SECOND);
    expect(availabilityOf(probing, probeAt + 3 * SECOND - 1, true)).toBe(1);
    expect(availabilityOf(probing, probeAt + 3 * SECOND, true)).toBe('one');
    const closed = breakerAfter([accepted], { from: probing, at: probeAt + 3 * SECOND });
    const late = { outcome: down, began: probeAt, now: probeAt + 30 * SECOND, random: MIDDLE, recipient: 'ada' };
    expect(recordCall(closed, late)).toMatchObject({ state: 'closed', failures: 0 });
  });

  test('does not cool down longer after an early probe for an urgent message', () => {
    const open = breakerAfter(times(5, down), { ms: 0 });
    const again = breakerAfter([down], { from: open, at: open.changed_at + 3 * SECOND, ms: 0 });
    expect(availabilityOf(again, again.changed_at)).toBe(5 * SECOND);
  });

  test('ignores failures of calls that began before it opened', () => {
    const open = breakerAfter(times(5, down));
    const late = {
      outcome: down,
      began: open.changed_at - 1,
      now: open.changed_at + 5,
      random: MIDDLE,
      recipient: 'ada',
    };
    expect(recordCall(open, late)).toEqual(open);
  });
});

describe('a throttle', () => {
  const slowDown = (retry_after_ms: number): Outcome => ({ kind: 'throttled', detail: '', retry_after_ms });

  test.each([
    ['without a time', throttled, SECOND],
    ['with a time of 0', slowDown(0), SECOND],
    ['with a time', slowDown(90 * SECOND), 90 * SECOND],
  ])('%s lasts as long as the provider asks, at least a second', (_, outcome, ms) => {
    const breaker = breakerAfter([outcome], { ms: 0 });
    expect(breaker.state).toBe('closed');
    expect([availabilityOf(breaker, 0), availabilityOf(breaker, ms)]).toEqual([ms, 'all']);
  });

  test('doubles each time, up to a minute', () => {
    let breaker = newBreaker('a', 0);
    let now = 0;
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      breaker = breakerAfter([throttled], { from: breaker, at: now, ms: 0 });
      expect(availabilityOf(breaker, now)).toBe(seconds * SECOND);
      now += seconds * SECOND;
    }
  });

  test('counts once for concurrent messages', () => {
    let breaker = newBreaker('a', 0);
    for (let n = 0; n < 25; n += 1)
      breaker = recordCall(breaker, { outcome: throttled, began: 0, now: 10, random: MIDDLE, recipient: `p-${n}` });
    expect(breaker).toMatchObject({ throttles: 1, throttled_until: 10 + SECOND });
  });

  /** Throttled six times in a row: bulk waits 32 s. */
  function longThrottle(): { breaker: CircuitBreaker; now: number } {
    let breaker = newBreaker('a', 0);
    let now = 0;
    for (let n = 0; n < 6; n += 1) {
      now = breaker.throttled_until;
      breaker = breakerAfter([throttled], { from: breaker, at: now, ms: 0 });
    }
    return { breaker, now };
  }

  test('ends when the provider accepts a message started after it', () => {
    const { breaker, now } = longThrottle();
    expect(availabilityOf(breaker, now + 2 * SECOND)).toBe(30 * SECOND);
    const ended = breakerAfter([accepted], { from: breaker, at: now + 2 * SECOND, ms: 5 });
    expect(availabilityOf(ended, now + 2 * SECOND + 5)).toBe('all');
    // The next throttle starts from one second.
    const again = breakerAfter([throttled], { from: ended, at: now + 3 * SECOND, ms: 0 });
    expect(availabilityOf(again, now + 3 * SECOND)).toBe(SECOND);
  });

  test('continues when a message started before it is accepted', () => {
    const { breaker, now } = longThrottle();
    const earlier = { outcome: accepted, began: now - 1, now: now + 5, random: MIDDLE, recipient: 'ada' };
    expect(availabilityOf(recordCall(breaker, earlier), now + 5)).toBe(32 * SECOND - 5);
  });

  test('delays an urgent message by at most 2 s', () => {
    const { breaker, now } = longThrottle();
    expect(availabilityOf(breaker, now, true)).toBe(2 * SECOND);
    expect(availabilityOf(breaker, now + 2 * SECOND, true)).toBe('all');
  });

  test('delays an urgent message as long as the provider asks', () => {
    expect(availabilityOf(breakerAfter([slowDown(9 * SECOND)], { ms: 0 }), 0, true)).toBe(9 * SECOND);
  });
});

describe('the next message goes', () => {
  const [a, b] = [newBreaker('a', 0), newBreaker('b', 0)];
  const open = breakerAfter(times(5, down), { from: a, ms: 0 });

  test('to the primary while it is available', () => {
    expect(pickProvider([a, b], 0)?.name).toBe('a');
  });

  test('to the fallback while the primary is open or throttled', () => {
    expect(pickProvider([open, b], 0)?.name).toBe('b');
    expect(pickProvider([breakerAfter([throttled], { from: a, ms: 0 }), b], 0)?.name).toBe('b');
    expect(pickProvider([breakerAfter([throttled], { from: a, ms: 0 }), b], 0, true)?.name).toBe('b');
  });

  test('to the primary as its probe when the cool-down is over, if it is not urgent', () => {
    expect(pickProvider([open, b], open.retry_at)?.name).toBe('a');
    expect(pickProvider([open, b], open.retry_at, true)?.name).toBe('b');
  });

  test('to the fallback if it is urgent, even if it could try the throttled primary', () => {
    expect(pickProvider([breakerAfter([throttled], { from: a, ms: 0 }), b], 2 * SECOND, true)?.name).toBe('a');
    let slow = a;
    for (let n = 0; n < 6; n += 1) slow = breakerAfter([throttled], { from: slow, at: slow.throttled_until, ms: 0 });
    expect(pickProvider([slow, b], slow.throttled_at + 2 * SECOND, true)?.name).toBe('b');
  });

  test('nowhere while no provider is available', () => {
    expect(pickProvider([open, breakerAfter([wrongLogin], { from: b, ms: 0 })], 0)).toBeNull();
  });
});
