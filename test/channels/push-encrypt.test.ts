import { createECDH, randomBytes } from 'node:crypto';
import ece from 'http_ece';
import { expect, test } from 'vitest';
import { encryptFor } from '../../src/channels/push-encrypt.ts';

/** RFC 8291, appendix A. */
test('the example of the standard comes out as it stands there', () => {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url'));
  const salt = Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url');
  const keys = {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  };
  expect(encryptFor(keys, 'When I grow up, I want to be a watermelon', { ecdh, salt }).toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A' +
      '_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

test('a browser reads what was encrypted for it, and no two messages look alike', () => {
  const browser = createECDH('prime256v1');
  const keys = { p256dh: browser.generateKeys('base64url'), auth: randomBytes(16).toString('base64url') };
  for (const text of ['', 'Tea at five', 'ž'.repeat(2_000)]) {
    const [one, other] = [encryptFor(keys, text), encryptFor(keys, text)];
    const read = ece.decrypt(one, { version: 'aes128gcm', privateKey: browser, authSecret: keys.auth });
    expect(read.toString('utf8')).toBe(text);
    expect(one.equals(other)).toBe(false);
  }
});

test('what is no key of a browser is refused, and so is a text that fits in no message', () => {
  const p256dh = createECDH('prime256v1').generateKeys('base64url');
  const auth = randomBytes(16).toString('base64url');
  const offTheCurve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString('base64url');
  for (const keys of [
    { p256dh: '', auth },
    { p256dh: p256dh.slice(0, 40), auth },
    { p256dh: offTheCurve, auth },
    { p256dh, auth: 'short' },
  ])
    expect(() => encryptFor(keys, 'text')).toThrow();
  expect(() => encryptFor({ p256dh, auth }, 'a'.repeat(4_080))).toThrow();
});
