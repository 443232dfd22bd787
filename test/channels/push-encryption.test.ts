import { createECDH, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { decrypt } from 'http_ece';
import { describe, expect, test } from 'vitest';
import { encryptedFor } from '../../src/channels/push-encryption.ts';

const browser = createECDH('prime256v1');
const keys = { p256dh: browser.generateKeys('base64url'), auth: randomBytes(16).toString('base64url') };
const decrypted = (body: Buffer, privateKey = browser, authSecret = keys.auth) =>
  decrypt(body, { version: 'aes128gcm', privateKey, authSecret }).toString();

test('the example of RFC 8291, appendix A, byte for byte', () => {
  const keyPair = createECDH('prime256v1');
  keyPair.setPrivateKey('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url');
  const secrets = {
    keyPair,
    publicKey: keyPair.getPublicKey(),
    salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url'),
  };
  const reader = {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  };
  const body = encryptedFor(reader, 'When I grow up, I want to be a watermelon', secrets);
  expect(body.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_' +
      'yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

test('any text that fits in a record is read by its browser, and by no other', () => {
  const other = createECDH('prime256v1');
  other.generateKeys();
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 900 }), (text) => {
      fc.pre(Buffer.byteLength(text) <= 4_079);
      const body = encryptedFor(keys, text);
      expect(decrypted(body)).toBe(text);
      expect(() => decrypted(body, other)).toThrow();
      expect(() => decrypted(body, browser, randomBytes(16).toString('base64url'))).toThrow();
    }),
    { numRuns: 100 },
  );
});

test('no two messages have a key or a salt in common', () => {
  const bodies = Array.from({ length: 600 }, () => encryptedFor(keys, 'the same'));
  expect(new Set(bodies.map((body) => body.subarray(0, 16).toString('hex'))).size).toBe(600);
  expect(new Set(bodies.map((body) => body.subarray(21, 86).toString('hex'))).size).toBe(600);
  for (const body of bodies) expect(decrypted(body)).toBe('the same');
});

describe('refuses', () => {
  const refused = (more: Partial<typeof keys>, text = 'text') => expect(() => encryptedFor({ ...keys, ...more }, text));
  test('a key that is none', () => {
    refused({ p256dh: '' }).toThrow('p256dh must have 65 bytes');
    refused({ p256dh: createECDH('prime256v1').generateKeys('base64url', 'compressed') }).toThrow('65 bytes');
  });
  test('a key that is no point of the curve', () => {
    const off = Buffer.from(keys.p256dh, 'base64url');
    off[40] = (off[40] ?? 0) ^ 1;
    refused({ p256dh: off.toString('base64url') }).toThrow(/public key/i);
  });
  test('a short secret', () => refused({ auth: randomBytes(15).toString('base64url') }).toThrow('at least 16 bytes'));
  test('what would need a second record', () => {
    expect(decrypted(encryptedFor(keys, 'x'.repeat(4_079)))).toHaveLength(4_079);
    refused({}, 'x'.repeat(4_080)).toThrow('one record');
  });
});
