import { randomUUID } from 'node:crypto';
import { openRecord } from '../acceptance/acceptance-record.ts';
import { type KeptMessages, keepMessages } from '../mail-page/kept-messages.ts';
import { serveLoopback } from './loopback-http.ts';
import { createDevice, type PushDevice, type PushSubscriptionKeys } from './push-device.ts';
import { type PushRequest, type ReceivedPush, readPush, textAnswer } from './push-request.ts';

export type { ReceivedPush } from './push-request.ts';

/** `hang` and `drop` don't accept the message; the `accept-then-…` do, record it, and answer badly. */
export type PushMisbehaviour =
  | { status: number; message?: string; headers?: Record<string, string> }
  | 'hang'
  | 'drop'
  | 'accept-then-500'
  | 'accept-then-hang'
  | 'accept-then-drop';

export interface PushStandInOptions {
  port?: number;
  /** A file that gets one JSON line (`Acceptance`) per accepted message, before the answer is sent. */
  recordTo?: string;
  keep?: number;
  /** Asked once a request has passed every check. */
  respond?: (push: PushRequest) => PushMisbehaviour | undefined;
}

export interface PushStandIn extends Pick<KeptMessages<ReceivedPush>, 'waitFor' | 'waitForCount' | 'clear'> {
  /** Its origin, `http://127.0.0.1:port`: the product accepts it only when PUSH_ALLOWED_HOSTS lists it. */
  readonly url: string;
  readonly port: number;
  readonly messages: readonly ReceivedPush[];
  readonly count: number;
  /** How many waiting messages a later one of the same device and topic has replaced. */
  readonly replaced: number;
  /** A new browser, or the known one of this label. Only messages signed by `applicationServerKey` reach it, if given. */
  subscribe(label: string, applicationServerKey?: string): PushSubscriptionKeys;
  /** From now on its endpoint answers 410. */
  unsubscribe(label: string): void;
  /** While a device is offline its messages wait; every device is online at first. */
  setOnline(label: string, online: boolean): void;
  misbehave(respond: PushStandInOptions['respond']): void;
  stop(): Promise<void>;
}

/** A Web Push service on 127.0.0.1 that checks what it is sent, and decrypts it as the browser would. */
export async function startPushStandIn(options: PushStandInOptions = {}): Promise<PushStandIn> {
  let respond = options.respond;
  let replaced = 0;
  const kept = keepMessages<ReceivedPush>(options.keep);
  const record = openRecord(options.recordTo);
  const byLabel = new Map<string, PushDevice>();
  const byId = new Map<string, PushDevice>();

  const server = await serveLoopback(async (request) => {
    const device = byId.get(request.path.slice('/push/'.length));
    if (!request.path.startsWith('/push/') || !device) return textAnswer(404, 'no such subscription');
    if (request.method !== 'POST') return textAnswer(405, 'POST only');
    if (device.gone) return textAnswer(410, 'unsubscribed');
    const read = await readPush(request, device, server.url);
    if ('status' in read) return read;

    const behaviour = respond?.(read);
    if (behaviour === 'hang' || behaviour === 'drop') return behaviour;
    if (typeof behaviour === 'object') return textAnswer(behaviour.status, behaviour.message ?? '', behaviour.headers);
    const push = accept(device, read);
    if (behaviour === 'accept-then-500') return textAnswer(500, 'Internal Server Error');
    if (behaviour === 'accept-then-hang') return 'hang';
    if (behaviour === 'accept-then-drop') return 'drop';
    return textAnswer(201, '', { location: `${server.url}/messages/${push.id}`, ttl: String(push.ttl) });
  }, options.port);

  function accept(device: PushDevice, read: PushRequest): ReceivedPush {
    const push: ReceivedPush = {
      number: kept.count + 1,
      id: randomUUID(),
      ...read,
      state: device.online ? 'delivered' : read.ttl === 0 ? 'expired' : 'waiting',
    };
    if (push.state === 'waiting') {
      const earlier = device.waiting.findIndex(({ topic }) => topic !== null && topic === push.topic);
      const [old] = earlier === -1 ? [] : device.waiting.splice(earlier, 1);
      if (old) {
        old.state = 'replaced';
        replaced++;
      }
      device.waiting.push(push);
    }
    const marks = (typeof push.payload === 'object' ? push.payload : null) as Record<string, unknown> | null;
    record.append([
      {
        at: push.at.toISOString(),
        channel: 'push',
        recipient: push.device,
        message_id: push.id,
        delivery: stringOrNull(marks?.delivery),
        tenant: stringOrNull(marks?.tenant),
        event: stringOrNull(marks?.event),
        trigger: stringOrNull(marks?.trigger),
        topic: push.topic,
      },
    ]);
    kept.add(push);
    return push;
  }

  return {
    url: server.url,
    port: server.port,
    get messages() {
      return kept.latest;
    },
    get count() {
      return kept.count;
    },
    get replaced() {
      return replaced;
    },
    waitFor: kept.waitFor,
    waitForCount: kept.waitForCount,
    clear: kept.clear,
    subscribe(label, applicationServerKey) {
      const known = byLabel.get(label);
      if (known && !known.gone) return known.subscription;
      const device = createDevice(label, server.url, applicationServerKey);
      byLabel.set(label, device);
      byId.set(device.id, device);
      return device.subscription;
    },
    unsubscribe(label) {
      const device = byLabel.get(label);
      if (device) device.gone = true;
    },
    setOnline(label, online) {
      const device = byLabel.get(label);
      if (!device) throw new Error(`no browser has subscribed as ${label}`);
      device.online = online;
      if (!online) return;
      for (const push of device.waiting.splice(0)) {
        push.state = push.at.getTime() + push.ttl * 1000 < Date.now() ? 'expired' : 'delivered';
      }
    },
    misbehave(next) {
      respond = next;
    },
    async stop() {
      await server.stop();
      record.close();
    },
  };
}

function stringOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
