import webpush from 'web-push';
import { servePart } from '../part.ts';

export type EncryptMany = { count: number; keys: { p256dh: string; auth: string } };

const PAYLOAD = JSON.stringify({ title: 'Bench', body: 'Everybody is welcome. '.repeat(6), url: 'http://x/events/1' });

/** Encrypts a payload for the same keys each time, and sends nothing. */
servePart(async ({ count, keys }: EncryptMany) => {
  const from = performance.now();
  for (let n = 0; n < count; n += 1) webpush.encrypt(keys.p256dh, keys.auth, PAYLOAD, 'aes128gcm');
  return { count, ms: performance.now() - from };
});
