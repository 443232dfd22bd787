import { createECDH, type ECDH, randomBytes, randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { decrypt } from 'http_ece';
import { importJWK, jwtVerify } from 'jose';
import { fromKeys, parseObject } from '../../core/objects.ts';
import { LOOPBACK, loopbackServer, type Misbehaviour, misbehave } from './loopback-http.ts';
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

type Fault = { status: number; reason: string };

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

  const app = loopbackServer();
  app.post('/push/:id', { bodyLimit: LARGEST_BODY }, async (request, reply) => {
    const device = devices.get(request.url);
    if (!device) return reply.code(404).send('no such subscription');
    const read = await readPush(request, device, url);
    if ('status' in read) return reply.code(read.status).send(read.reason);
    return misbehave(reply, respond?.(read), () => {
      const push = { id: randomUUID(), ...read };
      received.accept(push, [{ at: push.at.toISOString(), channel: 'push', recipient: push.device, ...marksOf(push) }]);
      return { status: 201, headers: { location: `${url}/messages/${push.id}`, ttl: String(push.ttl) } };
    });
  });
  const url = await app.listen(LOOPBACK);

  return Object.assign(received, {
    /** Its origin, `http://127.0.0.1:port`: the product accepts it only when PUSH_ALLOWED_HOSTS lists it. */
    url,
    /** A new browser, or the known one of this label. Only messages signed by `applicationServerKey` reach it, if given. */
    subscribe(label: string, applicationServerKey?: string): Device['subscription'] {
      for (const known of devices.values()) if (known.label === label) return known.subscription;
      const path = `/push/${randomUUID()}`;
      const privateKey = createECDH('prime256v1');
      const p256dh = privateKey.generateKeys().toString('base64url');
      const keys = { p256dh, auth: randomBytes(16).toString('base64url') };
      const subscription = { endpoint: `${url}${path}`, keys };
      devices.set(path, { label, subscription, privateKey, applicationServerKey });
      return subscription;
    },
    /** Calls `next` after a request has passed every check; undefined restores the normal behaviour. */
    misbehave(next: typeof respond) {
      respond = next;
    },
    stop: () => app.close(),
  });
}

/** Checks a request as a push service does and decrypts it as the browser does; answers with the fault, if any. */
async function readPush(
  { headers, body }: FastifyRequest,
  device: Device,
  origin: string,
): Promise<PushRequest | Fault> {
  const vapid = await checkVapid(headers.authorization, origin);
  if ('reason' in vapid) return vapid;
  if (device.applicationServerKey !== undefined && vapid.publicKey !== device.applicationServerKey)
    return { status: 403, reason: 'signed by another key than the one subscribed with' };
  if (!/^\d+$/.test(String(headers.ttl ?? ''))) return { status: 400, reason: 'TTL is missing' };
  const topic = headers.topic === undefined ? null : String(headers.topic);
  if (topic !== null && !/^[\w-]{1,32}$/.test(topic))
    return { status: 400, reason: 'Topic must be 1 to 32 base64url characters' };
  let text = '';
  if (Buffer.isBuffer(body)) {
    if (headers['content-encoding'] !== 'aes128gcm')
      return { status: 400, reason: 'Content-Encoding is not aes128gcm' };
    const { privateKey, subscription } = device;
    try {
      text = decrypt(body, { version: 'aes128gcm', privateKey, authSecret: subscription.keys.auth }).toString('utf8');
    } catch {
      return { status: 400, reason: 'not encrypted for this subscription' };
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

/** Checks an `Authorization: vapid t=…, k=…` header (RFC 8292): an ES256 token for this origin, signed by the key k. */
async function checkVapid(authorization = '', origin: string): Promise<{ publicKey: string } | Fault> {
  const [, token = '', publicKey = ''] = /^vapid t=([^,]+), *k=([\w-]+)$/i.exec(authorization) ?? [];
  if (!token) return { status: 401, reason: 'no vapid authorization' };
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  try {
    const key = await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256');
    await jwtVerify(token, key, { algorithms: ['ES256'], audience: origin, requiredClaims: ['exp', 'sub'] });
    return { publicKey };
  } catch (error) {
    return { status: 403, reason: (error as Error).message };
  }
}
