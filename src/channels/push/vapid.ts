import { createECDH } from 'node:crypto';
import webpush from 'web-push';
import type { Clock } from '../../core/clock.ts';
import { keepLatest } from '../../core/groups.ts';

export type VapidSettings = {
  publicKey: string;
  privateKey: string;
  /** contact for push services: `mailto:…` or `https://…` */
  subject: string;
};

const VALID_S = 12 * 60 * 60;
const KEPT_MS = 6 * 60 * 60 * 1000;
const ORIGINS = 256;

/**
 * Signs for push services (RFC 8292). A signature costs four times the encryption of a message and covers every message to
 * the same origin, so each is valid for twelve hours and reused for six.
 *
 * @returns the Authorization header for an origin
 * @throws Error that names the settings if they can't sign
 */
export function vapidSigner(settings: VapidSettings, clock: Clock): (origin: string) => string {
  const kept = new Map<string, { header: string; until: number }>();
  const { publicKey, privateKey, subject } = settings;

  function sign(origin: string): string {
    const expiration = Math.floor(clock.now().getTime() / 1000) + VALID_S;
    return webpush.getVapidHeaders(origin, subject, publicKey, privateKey, 'aes128gcm', expiration).Authorization;
  }

  try {
    sign('https://push.example');
    const pair = createECDH('prime256v1');
    pair.setPrivateKey(privateKey, 'base64url');
    if (pair.getPublicKey('base64url') !== publicKey) throw new Error('the keys are of two pairs');
  } catch {
    throw new Error(
      'VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY and VAPID_SUBJECT must be a key pair and a mailto: or https: URL',
    );
  }

  return (origin) => {
    const now = clock.now().getTime();
    const known = kept.get(origin);
    if (known && now < known.until) return known.header;
    const header = sign(origin);
    keepLatest(kept, origin, { header, until: now + KEPT_MS }, ORIGINS);
    return header;
  };
}
