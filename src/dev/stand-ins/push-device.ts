import { createECDH, type ECDH, randomBytes, randomUUID } from 'node:crypto';
import { decrypt } from 'http_ece';
import type { ReceivedPush } from './push-request.ts';

/** What a browser's PushSubscription.toJSON() gives; keys in base64url. */
export interface PushSubscriptionKeys {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

export interface PushDevice {
  id: string;
  label: string;
  subscription: PushSubscriptionKeys;
  privateKey: ECDH;
  applicationServerKey: string | undefined;
  online: boolean;
  gone: boolean;
  waiting: ReceivedPush[];
}

/** A browser with a key pair of its own, subscribed at `${origin}/push/:id`. */
export function createDevice(label: string, origin: string, applicationServerKey?: string): PushDevice {
  const privateKey = createECDH('prime256v1');
  const p256dh = privateKey.generateKeys().toString('base64url');
  const auth = randomBytes(16).toString('base64url');
  const id = randomUUID();
  return {
    id,
    label,
    subscription: { endpoint: `${origin}/push/${id}`, keys: { p256dh, auth } },
    privateKey,
    applicationServerKey,
    online: true,
    gone: false,
    waiting: [],
  };
}

/** The text of an aes128gcm body; null when it was not encrypted for this device. */
export function decryptFor(device: PushDevice, body: Buffer): string | null {
  try {
    const authSecret = device.subscription.keys.auth;
    return decrypt(body, { version: 'aes128gcm', privateKey: device.privateKey, authSecret }).toString('utf8');
  } catch {
    return null;
  }
}
