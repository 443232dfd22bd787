import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../src/notifications/outcome.ts';
import {
  availabilityOf,
  type CircuitBreaker,
  endCall,
  newBreaker,
  pickProvider,
} from '../../../src/notifications/providers/circuit-breaker.ts';
import { accepted, breakerAfter, down, MIDDLE, SECOND, throttled, times, wrongLogin } from './breaker-steps.ts';

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
      breaker = endCall(breaker, { outcome: throttled, began: 0, now: 10, random: MIDDLE, recipient: `p-${n}` });
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
    expect(availabilityOf(endCall(breaker, earlier), now + 5)).toBe(32 * SECOND - 5);
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
