import { createECDH, type ECDH, randomBytes, randomUUID } from 'node:crypto';
import { decrypt } from 'http_ece';
import { importJWK, jwtVerify } from 'jose';
import { fromKeys, parseObject } from '../../core/objects.ts';
import {
  type LoopbackAnswer,
  type LoopbackRequest,
  type Misbehaviour,
  misbehave,
  serveLoopback,
  textAnswer,
} from './loopback-http.ts';
import { type ReceiveOptions, receivedMessages } from './received.ts';

export type ReceivedPush = {
  id: string;
  at: Date;
  /** the label given to `subscribe` */
  device: string;
  /** in seconds */
  ttl: number;
  urgency: string;
  topic: string | null;
  /** the decrypted text */
  text: string;
  /** the same parsed; empty if it is not a JSON object */
  payload: Record<string, unknown>;
};

/** A push as it was sent, before anything is decided about it. */
type PushRequest = Omit<ReceivedPush, 'id'>;

export type PushMisbehaviour = Misbehaviour<{ status: number; headers?: Record<string, string> }>;

type Device = {
  label: string;
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  privateKey: ECDH;
  applicationServerKey: string | undefined;
};

// The size that RFC 8030 requires a service to accept, and the maximum of browsers' services.
const LARGEST_BODY = 4096;

/** A Web Push service on 127.0.0.1 that checks what it is sent, and decrypts it as the browser would. */
export async function startPushStandIn(options: ReceiveOptions = {}) {
  let respond: ((push: PushRequest) => PushMisbehaviour | undefined) | undefined;
  const received = receivedMessages<ReceivedPush>(options);
  const devices = new Map<string, Device>();

  const server = await serveLoopback(async (request) => {
    const device = devices.get(request.path);
    if (!device) return textAnswer(404, 'no such subscription');
    if (request.method !== 'POST') return textAnswer(405, 'POST only');
    const read = await readPush(request, device, server.url);
    if ('status' in read) return read;
    const behaviour = respond?.(read);
    const answer = typeof behaviour === 'object' ? textAnswer(behaviour.status, '', behaviour.headers) : behaviour;
    return misbehave(answer, () => {
      const push = { id: randomUUID(), ...read };
      received.accept(push, [{ at: push.at.toISOString(), channel: 'push', recipient: push.device, ...marksOf(push) }]);
      return textAnswer(201, '', { location: `${server.url}/messages/${push.id}`, ttl: String(push.ttl) });
    });
  });

  return Object.assign(received, {
    /** Its origin, `http://127.0.0.1:port`: the product accepts it only when PUSH_ALLOWED_HOSTS lists it. */
    url: server.url,
    /** A new browser, or the known one of this label. Only messages signed by `applicationServerKey` reach it, if given. */
    subscribe(label: string, applicationServerKey?: string): Device['subscription'] {
      for (const known of devices.values()) if (known.label === label) return known.subscription;
      const path = `/push/${randomUUID()}`;
      const privateKey = createECDH('prime256v1');
      const p256dh = privateKey.generateKeys().toString('base64url');
      const keys = { p256dh, auth: randomBytes(16).toString('base64url') };
      const subscription = { endpoint: `${server.url}${path}`, keys };
      devices.set(path, { label, subscription, privateKey, applicationServerKey });
      return subscription;
    },
    /** Calls `next` after a request has passed every check; undefined restores the normal behaviour. */
    misbehave(next: typeof respond) {
      respond = next;
    },
    stop: server.stop,
  });
}

/** Checks a request as a push service does and decrypts it as the browser does; answers with the fault, if any. */
async function readPush(
  { headers, body }: LoopbackRequest,
  device: Device,
  origin: string,
): Promise<PushRequest | LoopbackAnswer> {
  const vapid = await checkVapid(headers.authorization, origin);
  if ('reason' in vapid) return textAnswer(vapid.status, vapid.reason);
  if (device.applicationServerKey !== undefined && vapid.publicKey !== device.applicationServerKey)
    return textAnswer(403, 'signed by another key than the one subscribed with');
  if (!/^\d+$/.test(String(headers.ttl ?? ''))) return textAnswer(400, 'TTL is missing');
  const topic = headers.topic === undefined ? null : String(headers.topic);
  if (topic !== null && !/^[\w-]{1,32}$/.test(topic))
    return textAnswer(400, 'Topic must be 1 to 32 base64url characters');
  if (body.length > LARGEST_BODY) return textAnswer(413, 'payload too large');
  let text = '';
  if (body.length > 0) {
    if (headers['content-encoding'] !== 'aes128gcm') return textAnswer(400, 'Content-Encoding is not aes128gcm');
    const { privateKey, subscription } = device;
    try {
      text = decrypt(body, { version: 'aes128gcm', privateKey, authSecret: subscription.keys.auth }).toString('utf8');
    } catch {
      return textAnswer(400, 'not encrypted for this subscription');
    }
  }
  return {
    at: new Date(),
    device: device.label,
    ttl: Number(headers.ttl),
    urgency: String(headers.urgency ?? 'normal'),
    topic,
    text,
    payload: parseObject(text),
  };
}

function marksOf({ id, topic, payload }: ReceivedPush) {
  const mark = (name: string) => (typeof payload[name] === 'string' ? payload[name] : null);
  return { message_id: id, topic, ...fromKeys(['delivery', 'tenant', 'event', 'trigger'], mark) };
}

const LONGEST_VALIDITY_SECONDS = 24 * 60 * 60;

type VapidCheck = { publicKey: string } | { status: 401 | 403; reason: string };

/**
 * Checks an `Authorization: vapid t=…, k=…` header as RFC 8292 asks of a push service: an ES256 token signed by key k,
 * for this origin, not expired and not valid for more than a day, with a contact as subject.
 */
async function checkVapid(authorization: string | undefined, origin: string): Promise<VapidCheck> {
  const [, scheme = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(authorization ?? '') ?? [];
  if (scheme.toLowerCase() !== 'vapid') return { status: 401, reason: 'no vapid authorization' };
  const parts = Object.fromEntries(rest.split(',').map((part) => part.trim().split(/=(.*)/, 2)));
  const { t: token, k: publicKey } = parts as { t?: string; k?: string };
  if (!token || !publicKey) return { status: 401, reason: 't or k is missing' };

  const point = Buffer.from(publicKey, 'base64url');
  if (point.length !== 65 || point[0] !== 4) return { status: 403, reason: 'k must be an uncompressed P-256 point' };
  try {
    const x = point.subarray(1, 33).toString('base64url');
    const y = point.subarray(33).toString('base64url');
    const key = await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256');
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['ES256'],
      audience: origin,
      requiredClaims: ['exp', 'sub'],
    });
    if ((payload.exp ?? 0) > Date.now() / 1000 + LONGEST_VALIDITY_SECONDS + 60) {
      return { status: 403, reason: 'exp is more than a day away' };
    }
    if (!/^(mailto:|https:)/.test(payload.sub ?? '')) return { status: 403, reason: 'sub must be a contact' };
  } catch (error) {
    return { status: 403, reason: (error as Error).message };
  }
  return { publicKey };
}
