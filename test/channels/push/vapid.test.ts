import { decodeProtectedHeader, importJWK, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import webpush from 'web-push';
import { vapidSigner } from '../../../src/channels/push/vapid.ts';

const keys = webpush.generateVAPIDKeys();
const settings = { ...keys, subject: 'mailto:ops@school.example' };

describe('the VAPID signature', () => {
  it('names the origin and is valid for twelve hours', async () => {
    const now = new Date();
    const header = vapidSigner(settings, { now: () => now })('https://push.example.com');
    const [, token = '', key] = /^vapid t=([^,]+), k=(.+)$/.exec(header) ?? [];
    expect(key).toBe(keys.publicKey);
    expect(decodeProtectedHeader(token)).toEqual({ typ: 'JWT', alg: 'ES256' });
    const point = Buffer.from(keys.publicKey, 'base64url');
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    };
    const { payload } = await jwtVerify(token, await importJWK(jwk, 'ES256'));
    expect(payload).toEqual({
      aud: 'https://push.example.com',
      sub: 'mailto:ops@school.example',
      exp: Math.floor(now.getTime() / 1000) + 12 * 3600,
    });
  });

  it('is reused per origin for six hours', () => {
    let now = Date.now();
    const sign = vapidSigner(settings, { now: () => new Date(now) });
    const first = sign('https://a.example');
    expect(sign('https://b.example')).not.toBe(first);
    now += 6 * 3600_000 - 1;
    expect(sign('https://a.example')).toBe(first);
    now += 1;
    expect(sign('https://a.example')).not.toBe(first);
  });

  it.each([
    [{ ...settings, publicKey: 'secret' }],
    [{ ...settings, privateKey: 'secret' }],
    [{ ...settings, subject: 'secret' }],
    [{ ...settings, privateKey: webpush.generateVAPIDKeys().privateKey }],
  ])('rejects settings that cannot sign, naming them without their values (%#)', (wrong) => {
    const make = () => vapidSigner(wrong, { now: () => new Date() });
    expect(make).toThrow(/^VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY and VAPID_SUBJECT/);
    expect(make).not.toThrow('secret');
  });
});
