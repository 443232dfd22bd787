import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../src/notifications/outcome.ts';
import {
  availabilityOf,
  type CircuitBreaker,
  endCall,
  newBreaker,
  startCall,
} from '../../../src/notifications/providers/circuit-breaker.ts';
import {
  accepted,
  breakerAfter,
  crowded,
  down,
  lost,
  MIDDLE,
  refusedFor,
  SECOND,
  type Step,
  throttled,
  times,
  wrongLogin,
} from './breaker-steps.ts';

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
    expect(closed).toEqual(newBreaker('a', open.retry_at + 10));
    expect(breakerAfter(times(4, down), { from: closed, at: closed.changed_at + 1 }).state).toBe('closed');
  });

  test('closes when its probe is refused for one person, unless that is why it opened', () => {
    const wasDown = breakerAfter(times(5, down));
    expect(breakerAfter([refusedFor('ada')], { from: wasDown, at: wasDown.retry_at }).state).toBe('closed');
    const wasRefused = breakerAfter(['ada', 'bob', 'cyd'].map(refusedFor));
    for (const name of ['ada', 'dan'])
      expect(breakerAfter([refusedFor(name)], { from: wasRefused, at: wasRefused.retry_at }).state).toBe('open');
  });

  test('lets no second message through while its probe is in flight', () => {
    const open = breakerAfter(times(5, down));
    const probing = startCall(open, open.retry_at, 30 * SECOND);
    expect(probing.state).toBe('half_open');
    // The probe may be answered any moment.
    expect(availabilityOf(probing, open.retry_at + 1)).toBe(SECOND);
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
    expect(endCall(closed, late)).toMatchObject({ state: 'closed', failures: 0 });
  });

  test('does not cool down longer after an early probe for an urgent message', () => {
    const open = breakerAfter(times(5, down), { ms: 0 });
    const again = breakerAfter([down], { from: open, at: open.changed_at + 3 * SECOND, ms: 0 });
    expect(availabilityOf(again, again.changed_at)).toBe(5 * SECOND);
  });

  test('cools down longer after a failed probe, also if an urgent one passed it', () => {
    const open = breakerAfter(times(5, down), { ms: 0 });
    const probing = startCall(open, open.retry_at, 30 * SECOND);
    const again = breakerAfter([down], { from: probing, at: open.retry_at + 3 * SECOND, ms: 0 });
    expect(availabilityOf(again, again.changed_at)).toBe(10 * SECOND);
  });

  const called = (outcome: Outcome, began: number, now: number) => ({
    outcome,
    began,
    now,
    random: MIDDLE,
    recipient: 'ada',
  });

  test.each([down, wrongLogin, lost])('ignores failures of calls that began before it opened: $detail', (outcome) => {
    for (const from of [breakerAfter(times(5, down)), breakerAfter([wrongLogin])]) {
      expect(endCall(from, called(outcome, from.changed_at - 1, from.changed_at + 5))).toEqual(from);
      // Of calls that began in one millisecond the first opens it.
      expect(endCall(from, called(outcome, from.changed_at, from.changed_at + 5))).toEqual(from);
    }
  });

  test.each([down, wrongLogin, lost])('ignores failures of calls that began before it closed: $detail', (outcome) => {
    const open = breakerAfter([wrongLogin]);
    const closed = breakerAfter([accepted], { from: open, at: open.retry_at });
    expect(endCall(closed, called(outcome, closed.changed_at - 1, closed.changed_at + 5))).toEqual(closed);
  });

  test('opens again after a failed probe, whatever had opened it', () => {
    const open = breakerAfter([wrongLogin], { ms: 0 });
    const again = breakerAfter([down], { from: open, at: open.retry_at, ms: 0 });
    expect(again).toMatchObject({ state: 'open', why: 'infrastructure', changed_at: open.retry_at });
  });

  test('never cools down or throttles without end', () => {
    const worn = { ...newBreaker('a', 0), openings: 5_000, throttles: 5_000 };
    expect(availabilityOf(breakerAfter([wrongLogin], { from: worn, ms: 0 }), 0)).toBe(600 * SECOND);
    expect(availabilityOf(breakerAfter([throttled], { from: worn, ms: 0 }), 0)).toBe(60 * SECOND);
  });

  test('counts failures of calls that began before another was answered', () => {
    let breaker = endCall(newBreaker('a', 0), called(accepted, 0, 10));
    for (let n = 0; n < 5; n += 1) breaker = endCall(breaker, called(down, 5, 20));
    expect(breaker.state).toBe('open');
  });
});
