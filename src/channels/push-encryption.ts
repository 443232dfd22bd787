import { createCipheriv, createECDH, createHmac, type ECDH, randomFillSync } from 'node:crypto';
import type { PushSubscription } from '../people/ports.ts';

/** Made for one message: a key pair, of which the public key is sent along, and 16 bytes. */
type MessageSecrets = { keyPair: Pick<ECDH, 'computeSecret'>; publicKey: Buffer; salt: Buffer };

const PUBLIC_KEY_BYTES = 65;
const AUTH_BYTES = 16;
const SALT_BYTES = 16;
const RECORD_SIZE = 4096;
/** Beyond the payload a record holds the delimiter of the last one and the tag. */
const OVERHEAD = 1 + 16;
const LAST_RECORD = '\x02';

const keyPair = createECDH('prime256v1');
/** Drawn for many at once: one by one they cost as much as the cipher. */
const salts = Buffer.alloc(256 * SALT_BYTES);
let drawnTo = salts.length;

/**
 * A push message's body for one browser, as RFC 8291 says: AES-128-GCM in one record of RFC 8188, under keys derived from
 * the browser's (its public key on P-256, uncompressed, and its secret) and those of this message. web-push does the same
 * in a third more time, which goes into objects made anew.
 *
 * @throws RangeError where the keys have another length or the payload doesn't fit in one record, and node's own error
 *   where the public key is no point of the curve
 */
export function encryptedFor(
  { p256dh, auth }: PushSubscription['keys'],
  payload: string,
  secrets: MessageSecrets = fresh(),
): Buffer {
  const browserKey = Buffer.from(p256dh, 'base64url');
  const authSecret = Buffer.from(auth, 'base64url');
  if (browserKey.length !== PUBLIC_KEY_BYTES) throw new RangeError('p256dh must have 65 bytes');
  if (authSecret.length < AUTH_BYTES) throw new RangeError('auth must have at least 16 bytes');
  if (Buffer.byteLength(payload) + OVERHEAD > RECORD_SIZE) throw new RangeError('the payload must fit in one record');
  const { publicKey, salt } = secrets;
  const shared = secrets.keyPair.computeSecret(browserKey);

  // RFC 8291, 3.3 and 3.4; each output is one block of HKDF (RFC 5869).
  const ofBoth = hmac(authSecret, shared);
  const keying = hmac(salt, hmac(ofBoth, KEY_INFO, browserKey, publicKey, FIRST_BLOCK));
  const key = hmac(keying, CONTENT_KEY_INFO, FIRST_BLOCK).subarray(0, 16);
  const nonce = hmac(keying, NONCE_INFO, FIRST_BLOCK).subarray(0, 12);

  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const text = cipher.update(payload + LAST_RECORD, 'utf8');
  return Buffer.concat([salt, RECORD_AND_KEY_LENGTH, publicKey, text, cipher.final(), cipher.getAuthTag()]);
}

/** What one browser is to read. */
export type PushText = { keys: PushSubscription['keys']; payload: string };

/** In their order; null where the keys are none that a message can be encrypted for, or the payload is too long. */
export const encryptedForEach = (texts: readonly PushText[]): (Buffer | null)[] =>
  texts.map(({ keys, payload }) => {
    try {
      return encryptedFor(keys, payload);
    } catch {
      return null;
    }
  });

const FIRST_BLOCK = Buffer.from([1]);
const KEY_INFO = Buffer.from('WebPush: info\0');
const CONTENT_KEY_INFO = Buffer.from('Content-Encoding: aes128gcm\0');
const NONCE_INFO = Buffer.from('Content-Encoding: nonce\0');
/** RFC 8188, 2.1: between the salt and the key. */
const RECORD_AND_KEY_LENGTH = Buffer.from([0, 0, RECORD_SIZE >> 8, RECORD_SIZE & 0xff, PUBLIC_KEY_BYTES]);

/** The pair is another one each time; it is used before anything else can ask for one. */
function fresh(): MessageSecrets {
  if (drawnTo === salts.length) {
    randomFillSync(salts);
    drawnTo = 0;
  }
  const salt = salts.subarray(drawnTo, drawnTo + SALT_BYTES);
  drawnTo += SALT_BYTES;
  return { keyPair, publicKey: keyPair.generateKeys(), salt };
}

function hmac(key: Buffer, ...parts: readonly Buffer[]): Buffer {
  const made = createHmac('sha256', key);
  for (const part of parts) made.update(part);
  return made.digest();
}
