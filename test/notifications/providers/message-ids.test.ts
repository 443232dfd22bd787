import { expect, test } from 'vitest';
import { readMessageId, signedMessageIds } from '../../../src/notifications/providers/message-ids.ts';

test('a signature is valid for one message of one installation only', () => {
  const ids = signedMessageIds(Buffer.alloc(32, 1));
  const id = 'a1'.repeat(32);
  const { delivery_id, signature = '' } = readMessageId(`<${ids.of(id)}@school.example>`) ?? {};
  expect(delivery_id).toBe(id);
  expect(ids.isSignature(id, signature)).toBe(true);
  expect(ids.isSignature('b2'.repeat(32), signature)).toBe(false);
  expect(ids.isSignature(id, '')).toBe(false);
  expect(ids.isSignature(id, signature.slice(1))).toBe(false);
  expect(signedMessageIds(Buffer.alloc(32)).isSignature(id, signature)).toBe(false);
});
