import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../src/notifications/outcome.ts';
import { type DeliveryResult, orFallback } from '../../../src/notifications/policy/retry.ts';
import type { Channel } from '../../../src/people/channels.ts';
import { NOW } from '../../support/builders.ts';
import { aFact, anOccasion } from '../../support/message-builders.ts';
import { draft, to } from './drafting.ts';
import { HOUR, MINUTE, SECOND, settled } from './settled.ts';

const waitOf = (result: DeliveryResult): number => ('afterMs' in result ? result.afterMs : Number.NaN);

/** The channels have tests of which answer has which outcome. */
const REFUSED = ['infrastructure', 'throttled', 'configuration'] as const;
const FINAL = { bad_address: 'bad_address', refused: 'refused', opted_out: 'opted_out', gone: 'gone' } as const;

test.each(REFUSED)('retries after the outcome %s within a minute without counting an attempt', (kind) => {
  const result = settled({ kind, detail: 'x' }, { attempts: 2, errors: 1, repeated: true });
  expect(result).toMatchObject({ to: 'waiting', attempts: 2, errors: 1, repeated: true });
  expect(waitOf(result)).toBeGreaterThan(0);
  expect(waitOf(result)).toBeLessThanOrEqual(MINUTE);
});

test('waits about one second while another message probes the provider, else about ten', () => {
  const down: Outcome = { kind: 'infrastructure', detail: 'smtp connect ECONNREFUSED' };
  expect(waitOf(settled({ ...down, of: 'turn' }))).toBe(SECOND);
  expect(waitOf(settled(down))).toBe(10 * SECOND);
});

test('retries a transient refusal and counts an attempt', () => {
  expect(settled({ kind: 'transient', detail: 'smtp 451' }, { attempts: 2 })).toMatchObject({
    to: 'waiting',
    attempts: 3,
  });
});

test.each(Object.entries(FINAL))('ends after the outcome %s with the reason %s', (kind, reason) => {
  expect(settled({ kind, detail: 'x' } as Outcome)).toEqual({
    to: 'failed',
    id: 'delivery-1',
    reason,
    detail: 'x',
    attempts: 1,
  });
});

describe('552 5.2.2', () => {
  const full: Outcome = { kind: 'mailbox_full', detail: 'smtp 552 5.2.2' };
  test.each([
    [0, 'waiting', 5 * MINUTE],
    [1, 'waiting', 15 * MINUTE],
    [2, 'failed', Number.NaN],
  ])('after %d tries leaves the message %s for %d ms', (attempts, to, wait) => {
    const result = settled(full, { attempts });
    expect([result.to, waitOf(result)]).toEqual([to, wait]);
  });

  test('fails after the third try with its reason', () => {
    expect(settled(full, { attempts: 2 })).toMatchObject({ reason: 'mailbox_full' });
    expect(settled(full, { attempts: 1 })).toMatchObject({ attempts: 2 });
  });
});

test.each(['no_template', 'over_budget'] as const)('skips a message after the outcome %s', (kind) => {
  expect(settled({ kind, detail: 'x' })).toEqual({ to: 'skipped', id: 'delivery-1', reason: kind, detail: 'x' });
});

test('records an accepted message as sent, with the provider’s id if any', () => {
  expect(settled({ kind: 'accepted', provider_id: 'SM1' })).toEqual({
    to: 'sent',
    id: 'delivery-1',
    provider_id: 'SM1',
    detail: null,
    attempts: 1,
  });
  expect(settled({ kind: 'accepted' })).toMatchObject({ to: 'sent', provider_id: null });
});

const TRANSIENT: Outcome = { kind: 'transient', detail: 'smtp 451' };
/** "1, 5, 15, 60 min, 4 h ± 30 %". */
const WAITS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR, 4 * HOUR, 4 * HOUR];

describe('the waits after a transient refusal', () => {
  test.each(WAITS.map((wait, attempts) => [attempts, wait] as const))('after %d tries are %d ms', (attempts, wait) => {
    expect(waitOf(settled(TRANSIENT, { attempts }))).toBe(wait);
    expect(waitOf(settled(TRANSIENT, { attempts }, NOW, 0))).toBe(wait * 0.7);
    expect(waitOf(settled(TRANSIENT, { attempts }, NOW, 0.999999))).toBeLessThanOrEqual(wait * 1.3);
  });

  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

  test('never become shorter', () => {
    fc.assert(
      fc.property(fc.nat(3), random, random, (attempts, a, b) => {
        const next = waitOf(settled(TRANSIENT, { attempts: attempts + 1 }, NOW, b));
        expect(next).toBeGreaterThan(waitOf(settled(TRANSIENT, { attempts }, NOW, a)));
      }),
    );
  });

  test('every outcome has a valid result, never in the past', () => {
    const detail = 'x';
    const outcomes = fc.constantFrom<Outcome>(
      { kind: 'infrastructure', detail },
      TRANSIENT,
      { kind: 'throttled', detail, retry_after_ms: 90_000 },
      { kind: 'configuration', detail },
      { kind: 'mailbox_full', detail },
      { kind: 'ambiguous', detail },
      { kind: 'unclassified', detail },
    );
    const channels = fc.constantFrom<Channel>('email', 'sms', 'push', 'in_app');
    fc.assert(
      fc.property(outcomes, channels, fc.nat(20), fc.nat(4), random, (outcome, channel, attempts, errors, by) => {
        const result = settled(outcome, { channel, attempts, errors }, NOW, by);
        expect(result.id).toBe('delivery-1');
        if ('afterMs' in result) {
          expect(result.afterMs).toBeGreaterThanOrEqual(0);
          expect(result.attempts).toBeGreaterThanOrEqual(attempts);
          expect(result.errors).toBeGreaterThanOrEqual(errors);
        }
      }),
    );
  });
});

describe('throttled', () => {
  test.each([
    [90 * SECOND, 90 * SECOND],
    [1, 5 * SECOND],
    [0, 5 * SECOND],
  ])('a Retry-After of %d ms waits %d', (retry_after_ms, wait) => {
    expect(waitOf(settled({ kind: 'throttled', detail: 'push 429', retry_after_ms }))).toBe(wait);
  });

  test('an urgent message waits 2 s', () => {
    const outcome: Outcome = { kind: 'throttled', detail: 'push 429' };
    expect(waitOf(settled(outcome, { trigger: 'event.cancelled' }))).toBe(2 * SECOND);
  });

  test('jitter never shortens Retry-After', () => {
    const outcome: Outcome = { kind: 'throttled', detail: 'push 429', retry_after_ms: MINUTE };
    expect(waitOf(settled(outcome, {}, NOW, 0))).toBe(MINUTE);
  });
});

describe('the end of retries', () => {
  test.each([
    ['23 h after it was made', 23 * HOUR, 'waiting'],
    ['a second before the last try would be too late', 24 * HOUR - MINUTE - SECOND, 'waiting'],
    ['when the next try would be more than a day after it was made', 24 * HOUR - MINUTE + 1, 'failed'],
    ['long after', 48 * HOUR, 'failed'],
  ])('%s a transient refusal leaves the message %s', (_, age, to) => {
    expect(settled(TRANSIENT, {}, new Date(NOW.getTime() + age)).to).toBe(to);
  });

  test('is recorded as tried_out, with the last code', () => {
    expect(settled(TRANSIENT, {}, new Date(NOW.getTime() + 25 * HOUR))).toEqual({
      to: 'failed',
      id: 'delivery-1',
      reason: 'tried_out',
      detail: 'smtp 451',
      attempts: 1,
    });
  });

  test('comes earlier if the message expires', () => {
    const expires_at = new Date(NOW.getTime() + 3 * MINUTE);
    expect(settled(TRANSIENT, { attempts: 0, expires_at }).to).toBe('waiting');
    expect(settled(TRANSIENT, { attempts: 1, expires_at }).to).not.toBe('waiting');
  });

  test('starts again after staff released the message from quarantine', () => {
    const late = new Date(NOW.getTime() + 48 * HOUR);
    expect(settled(TRANSIENT, { redriven_at: late }, late).to).toBe('waiting');
  });

  test('counts from the time that staff chose for a reminder to confirm', () => {
    const tell_at = new Date(NOW.getTime() + 48 * HOUR);
    const reminder = anOccasion(aFact('acknowledgement.reminded', { tell_at, channels: ['email'] }));
    const [row] = draft(reminder, [to('eva')]);
    expect(row?.due_at).toEqual(tell_at);
    const resultAfter = (ms: number) => settled(TRANSIENT, { ...row, id: 'd' }, new Date(tell_at.getTime() + ms)).to;
    expect([resultAfter(SECOND), resultAfter(25 * HOUR)]).toEqual(['waiting', 'failed']);
  });

  test('counts from the end of quiet hours or holidays that deferred the message', () => {
    const held_until = new Date(NOW.getTime() + 14 * 24 * HOUR);
    const resultAfter = (ms: number) => settled(TRANSIENT, { held_until }, new Date(held_until.getTime() + ms)).to;
    expect([resultAfter(SECOND), resultAfter(23 * HOUR), resultAfter(25 * HOUR)]).toEqual([
      'waiting',
      'waiting',
      'failed',
    ]);
  });

  // decisions.md "too late": "a reminder is dropped at the start …; dropped = recorded `expired`".
  test('is recorded as expired if the message would be too late', () => {
    const expires_at = new Date(NOW.getTime() + MINUTE);
    expect(settled(TRANSIENT, { trigger: 'reminder.due', attempts: 1, expires_at })).toMatchObject({
      to: 'skipped',
      reason: 'expired',
    });
  });

  test('never comes because of wrong settings', () => {
    const monday = new Date(NOW.getTime() + 60 * HOUR);
    const outcome: Outcome = { kind: 'configuration', detail: 'smtp 535' };
    expect(settled(outcome, { trigger: 'event.cancelled' }, monday)).toMatchObject({ to: 'waiting', afterMs: MINUTE });
  });
});

describe('internal errors', () => {
  const fault: Outcome = { kind: 'unclassified', detail: 'email text' };
  test.each([
    [0, 'waiting'],
    [3, 'waiting'],
    [4, 'quarantined'],
    [5, 'quarantined'],
  ])('after %d of them the next one leaves the message %s', (errors, to) => {
    expect(settled(fault, { errors }).to).toBe(to);
  });

  test('are counted apart from attempts, and five quarantine the message', () => {
    expect(settled(fault, { errors: 1, attempts: 2 })).toMatchObject({
      errors: 2,
      attempts: 2,
      afterMs: 30 * SECOND,
    });
    expect(settled(fault, { errors: 4 })).toEqual({
      to: 'quarantined',
      id: 'delivery-1',
      reason: 'errors',
      detail: 'email text',
    });
  });
});

describe('the fallback of a channel', () => {
  const outcome = (kind: 'no_account' | 'no_template' | 'opted_out' | 'accepted', fallback: Channel | null = 'sms') => {
    const { to, ...rest } = orFallback({ fallback }, settled({ kind, detail: 'x' } as Outcome, { attempts: 1 }));
    return [to, 'channel' in rest ? rest.channel : null];
  };

  test.each(['no_account', 'no_template'] as const)('takes over after the outcome %s', (kind) => {
    expect(outcome(kind)).toEqual(['waiting', 'sms']);
    expect(outcome(kind, null)[0]).not.toBe('waiting');
  });

  test('starts without the tries of the channel before it', () => {
    const failed = settled({ kind: 'no_account', detail: 'x' }, { attempts: 1, repeated: true });
    expect(orFallback({ fallback: 'sms' }, failed)).toMatchObject({ attempts: 0, errors: 0, repeated: false });
  });

  test('is not used after a message was accepted or refused', () => {
    expect([outcome('accepted')[0], outcome('opted_out')[0]]).toEqual(['sent', 'failed']);
  });
});
