import { expect, test } from 'vitest';
import { type DeliveryKey, deliveryIdOf } from '../../src/notifications/delivery.ts';
import { SCOPE } from '../support/builders.ts';

const KEY: DeliveryKey = {
  ...SCOPE,
  event_id: 'event-1',
  trigger: 'event.published',
  version: '2',
  channel: 'email',
  recipient: 'eva@people.example',
};

/**
 * Rows outlive releases: another hash for the same message would send it twice. Computed with
 * `printf '2:t1|2:s1|7:event-1|15:event.published|1:2|5:email|18:eva@people.example|' | sha256sum`.
 */
test('the key of a message is the same in every release', () => {
  expect(deliveryIdOf(KEY)).toBe('c048e9866b18131b41c097d51a996e3aaf56bd56b586f3f7fe90369fd234dbd6');
});

test.each<[keyof DeliveryKey, string]>([
  ['tenant_id', 't2'],
  ['school_id', 's2'],
  ['event_id', 'event-2'],
  ['trigger', 'event.changed'],
  ['version', '3'],
  ['channel', 'sms'],
  ['recipient', 'user:eva'],
])('another %s makes another message', (part, value) => {
  expect(deliveryIdOf({ ...KEY, [part]: value })).not.toBe(deliveryIdOf(KEY));
});

test('no other field makes another message', () => {
  const row = { ...KEY, name: 'Eva', attempts: 7, due_at: new Date() };
  expect(deliveryIdOf(row)).toBe(deliveryIdOf(KEY));
});

test('keeps adjacent parts of the key apart', () => {
  const shifted = { ...KEY, tenant_id: 't', school_id: '1s1' };
  expect(deliveryIdOf(shifted)).not.toBe(deliveryIdOf({ ...KEY, tenant_id: 't1', school_id: 's1' }));
  expect(deliveryIdOf({ ...KEY, version: '1/60', channel: 'sms' })).not.toBe(
    deliveryIdOf({ ...KEY, version: '1/6', channel: 'sms', recipient: '0eva@people.example' }),
  );
});
