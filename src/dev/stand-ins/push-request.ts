import type { LoopbackAnswer, LoopbackRequest } from './loopback-http.ts';
import { decryptFor, type PushDevice } from './push-device.ts';
import { checkVapid } from './vapid.ts';

export interface ReceivedPush {
  number: number;
  id: string;
  at: Date;
  /** The label given to `subscribe`. */
  device: string;
  /** In seconds. */
  ttl: number;
  urgency: string;
  topic: string | null;
  /** The decrypted text, and the same parsed when it is JSON. */
  text: string;
  payload: unknown;
  /** `waiting` while the device is offline; `expired` when it was offline and the TTL was over. */
  state: 'delivered' | 'waiting' | 'replaced' | 'expired';
}

/** A push as it was sent, before anything is decided about it. */
export type PushRequest = Omit<ReceivedPush, 'number' | 'id' | 'state'>;

// The least that RFC 8030 makes a service take, and what browsers' services take at most.
const LARGEST_BODY = 4096;

/** Checks a request as a push service does and decrypts it as the browser does; what is wrong with it is the answer. */
export async function readPush(
  request: LoopbackRequest,
  device: PushDevice,
  origin: string,
): Promise<PushRequest | LoopbackAnswer> {
  const { headers, body } = request;
  const vapid = await checkVapid(headers.authorization, origin);
  if ('reason' in vapid) return textAnswer(vapid.status, vapid.reason);
  if (device.applicationServerKey !== undefined && vapid.publicKey !== device.applicationServerKey) {
    return textAnswer(403, 'signed by another key than the one subscribed with');
  }
  if (!/^\d+$/.test(String(headers.ttl ?? ''))) return textAnswer(400, 'TTL is missing');
  const topic = headers.topic === undefined ? null : String(headers.topic);
  if (topic !== null && !/^[\w-]{1,32}$/.test(topic))
    return textAnswer(400, 'Topic is no 1 to 32 base64url characters');
  if (body.length > LARGEST_BODY) return textAnswer(413, 'payload too large');
  let message = '';
  if (body.length > 0) {
    if (headers['content-encoding'] !== 'aes128gcm') return textAnswer(400, 'Content-Encoding is not aes128gcm');
    const decrypted = decryptFor(device, body);
    if (decrypted === null) return textAnswer(400, 'not encrypted for this subscription');
    message = decrypted;
  }
  return {
    at: new Date(),
    device: device.label,
    ttl: Number(headers.ttl),
    urgency: String(headers.urgency ?? 'normal'),
    topic,
    text: message,
    payload: parseJson(message),
  };
}

function parseJson(message: string): unknown {
  try {
    return JSON.parse(message);
  } catch {
    return null;
  }
}

/** A plain-text answer. */
export function textAnswer(status: number, body: string, headers: Record<string, string> = {}): LoopbackAnswer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body };
}
