import { describe, expect, test } from 'vitest';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import type { Outcome } from '../../../src/notifications/outcome.ts';
import {
  CRASHES_UNTIL_QUARANTINE,
  type Lookup,
  resultOfExpiredLease,
  resultOfUnknown,
} from '../../../src/notifications/policy/retry.ts';
import type { Trigger } from '../../../src/notifications/policy/trigger-table.ts';
import type { Channel } from '../../../src/people/channels.ts';
import { at, NOW } from '../../support/builders.ts';
import { aDelivery } from '../../support/message-builders.ts';
import { HOUR, LEASE_MS, MINUTE, settled } from './settled.ts';

describe('an unknown outcome', () => {
  const AMBIGUOUS: Outcome = { kind: 'ambiguous', detail: 'x' };

  test.each([
    ['email', LEASE_MS],
    ['sms', 3 * LEASE_MS],
  ] as const)('%s waits %d ms before it is resolved', (channel, wait) => {
    expect(settled(AMBIGUOUS, { channel })).toMatchObject({ to: 'unknown', afterMs: wait });
  });

  test('of the inbox is written again, because entries are idempotent', () => {
    expect(settled(AMBIGUOUS, { channel: 'in_app' }).to).toBe('waiting');
  });

  const resolved = (
    channel: Channel,
    trigger: Trigger,
    row: Partial<Delivery> = {},
    now = NOW,
    lookup: Lookup = 'silent',
  ) => resultOfUnknown(aDelivery({ channel, trigger, status: 'unknown', due_at: NOW, ...row }), lookup, now);
  /** The provider gave no answer for the whole time. */
  const NO_ANSWER = new Date(NOW.getTime() + 10 * MINUTE);

  test('of an e-mail sends it once more, then counts as sent', () => {
    expect(resolved('email', 'event.published')).toMatchObject({ to: 'waiting', afterMs: 0, repeated: true });
    expect(resolved('email', 'event.published', { repeated: true })).toMatchObject({ to: 'sent_unconfirmed' });
    // The first of these crashes came before its server had it.
    expect(resolved('email', 'event.published', { crashes: 2 })).toMatchObject({ to: 'waiting', repeated: true });
  });

  const TRIGGERS: [Trigger, string][] = [
    ['event.cancelled', 'waiting'],
    ['event.postponed', 'waiting'],
    ['registration.confirmed', 'waiting'],
    ['reminder.due', 'sent_unconfirmed'],
    ['event.starting', 'sent_unconfirmed'],
    ['event.published', 'sent_unconfirmed'],
  ];

  test.each(TRIGGERS)('an SMS of %s on which the provider gives no answer becomes %s', (trigger, to) => {
    expect(resolved('sms', trigger, {}, NOW)).toBeNull();
    expect(resolved('sms', trigger, {}, NO_ANSWER)?.to).toBe(to);
    expect(resolved('sms', trigger, { repeated: true }, NO_ANSWER)?.to).toBe('sent_unconfirmed');
  });

  test.each(TRIGGERS)('an SMS of %s that the provider does not have is sent once more, then failed', (trigger) => {
    expect(resolved('sms', trigger, {}, NOW, 'none')).toMatchObject({ to: 'waiting', afterMs: 0, repeated: true });
    expect(resolved('sms', trigger, { repeated: true }, NOW, 'none')).toMatchObject({
      to: 'failed',
      reason: 'not_sent',
    });
  });

  test('an SMS that the provider has is sent', () => {
    const lookup = { provider_id: 'SM1' };
    expect(resolved('sms', 'reminder.due', {}, NOW, lookup)).toMatchObject({ to: 'sent', provider_id: 'SM1' });
  });

  test('a push is sent again until it expires', () => {
    const expires_at = at('2026-09-01T09:00:00Z');
    const row = { expires_at, attempts: 9 };
    expect(resolved('push', 'event.starting', row, at('2026-09-01T08:59:59Z'))).toMatchObject({
      to: 'waiting',
      repeated: true,
    });
    expect(resolved('push', 'event.starting', row, at('2026-09-01T09:00:01Z'))?.to).toBe('sent_unconfirmed');
    const never = new Date(NOW.getTime() + 25 * HOUR);
    expect(resolved('push', 'event.cancelled', {}, never)?.to).toBe('sent_unconfirmed');
  });

  test('counts as a try', () => {
    expect(settled(AMBIGUOUS, { attempts: 2 })).toMatchObject({ attempts: 3 });
  });
});

describe('a lease that ran out', () => {
  const left = (row: Partial<Delivery>) => resultOfExpiredLease(aDelivery(row), LEASE_MS);

  test.each<[Channel]>([['email'], ['sms'], ['push'], ['in_app']])(
    'immediately releases a message of %s without a connection and counts no attempt',
    (channel) => {
      const row = { channel, status: 'claimed', attempts: 2, crashes: 1 } as const;
      expect(left(row)).toMatchObject({ to: 'waiting', afterMs: 0, attempts: 2, repeated: false });
    },
  );

  test.each([
    ['email', 'unknown'],
    ['sms', 'unknown'],
    ['push', 'unknown'],
    ['in_app', 'waiting'],
  ] as const)('makes a message of %s that was being sent %s', (channel, to) => {
    expect(left({ channel, status: 'sending', crashes: 1 }).to).toBe(to);
    expect(left({ channel, status: 'sending', crashes: 2 }).to).toBe(to);
  });

  test('quarantines an e-mail whose process ended twice while its server had it, so that it is never sent a third time', () => {
    const row = aDelivery({ channel: 'email', status: 'unknown', crashes: 2, repeated: true });
    expect(resultOfUnknown(row, 'silent', NOW)).toMatchObject({ to: 'quarantined', reason: 'crashed' });
  });

  test.each<[Delivery['status']]>([['claimed'], ['sending']])(
    'quarantines a message that was %s at three ends of processes in a row',
    (status) => {
      expect(CRASHES_UNTIL_QUARANTINE).toBe(3);
      expect(left({ status, crashes: 3 })).toEqual({
        to: 'quarantined',
        id: 'delivery-1',
        reason: 'crashed',
        detail: 'lease ran out',
      });
    },
  );
});
