import { randomBytes } from 'node:crypto';
import { openRecord } from '../acceptance/acceptance-record.ts';
import { type KeptMessages, keepMessages } from '../mail-page/kept-messages.ts';
import { type LoopbackAnswer, type LoopbackRequest, serveLoopback } from './loopback-http.ts';
import { type CallbackStep, callbackPoster } from './twilio-callbacks.ts';
import { errorAnswer, faultOf, messageBody, type SentSms } from './twilio-messages.ts';

/** `hang` and `drop` don't accept the message; the `accept-then-…` do, record it, call back, and answer badly. */
export type TwilioMisbehaviour =
  | { status: number; code: number; message: string; headers?: Record<string, string> }
  | 'hang'
  | 'drop'
  | 'accept-then-500'
  | 'accept-then-hang'
  | 'accept-then-drop';

export interface TwilioStandInOptions {
  port?: number;
  /** `AC` and 32 times `0` by default. */
  accountSid?: string;
  /** 32 times `a` by default. */
  authToken?: string;
  /** A file that gets one JSON line (`Acceptance`) per accepted message, before the answer is sent. */
  recordTo?: string;
  keep?: number;
  respond?: (params: Record<string, string>) => TwilioMisbehaviour | undefined;
  /** The status callbacks of a message, in order; sent and delivered by default. */
  callbacks?: (message: SentSms) => readonly CallbackStep[];
}

export interface TwilioStandIn extends Pick<KeptMessages<SentSms>, 'waitFor' | 'waitForCount' | 'clear'> {
  /** The base address that replaces Twilio's own (TWILIO_API_URL). */
  readonly url: string;
  readonly port: number;
  readonly accountSid: string;
  readonly authToken: string;
  readonly messages: readonly SentSms[];
  readonly count: number;
  misbehave(respond: TwilioStandInOptions['respond']): void;
  /** Replaces the `callbacks` option; undefined makes it behave again. */
  callBack(callbacks: TwilioStandInOptions['callbacks']): void;
  /** Resolves when no status callback is on its way or waiting. */
  callbacksDone(): Promise<void>;
  /** Ends at once; callbacks that still wait are given up. */
  stop(): Promise<void>;
}

export type { SentSms } from './twilio-messages.ts';

const SENT_THEN_DELIVERED: readonly CallbackStep[] = [{ status: 'sent' }, { status: 'delivered' }];

/** Twilio's message API on 127.0.0.1: create, fetch, list, and signed status callbacks. */
export async function startTwilioStandIn(options: TwilioStandInOptions = {}): Promise<TwilioStandIn> {
  const { accountSid = `AC${'0'.repeat(32)}`, authToken = 'a'.repeat(32) } = options;
  let { respond, callbacks } = options;
  const kept = keepMessages<SentSms>(options.keep);
  const record = openRecord(options.recordTo);
  const poster = callbackPoster(accountSid, authToken);
  const credentials = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  const collection = `/2010-04-01/Accounts/${accountSid}/Messages`;

  const server = await serveLoopback((request) => {
    if (request.headers.authorization !== credentials) return errorAnswer(401, 20003, 'Authenticate');
    if (request.path === `${collection}.json`) return request.method === 'POST' ? create(request) : list(request.query);
    const sid = request.path.startsWith(`${collection}/`) ? request.path.slice(collection.length + 1, -5) : '';
    const found = kept.latest.find((message) => message.sid === sid);
    if (request.method === 'GET' && found) return json(200, messageBody(found, accountSid));
    return errorAnswer(404, 20404, `The requested resource ${request.path} was not found`);
  }, options.port);

  async function create(request: LoopbackRequest): Promise<LoopbackAnswer | 'hang' | 'drop'> {
    const params = Object.fromEntries(new URLSearchParams(request.body.toString('utf8')));
    const behaviour = respond?.(params);
    if (behaviour === 'hang' || behaviour === 'drop') return behaviour;
    if (typeof behaviour === 'object') {
      return errorAnswer(behaviour.status, behaviour.code, behaviour.message, behaviour.headers);
    }
    const fault = faultOf(params);
    if (fault) return errorAnswer(400, fault.code, fault.message);

    const message = accept(params);
    const answer = json(201, messageBody(message, accountSid));
    const steps = callbacks?.(message) ?? SENT_THEN_DELIVERED;
    await poster.post(
      message,
      steps.filter((step) => step.early),
    );
    void poster.post(
      message,
      steps.filter((step) => !step.early),
    );
    if (behaviour === 'accept-then-hang') return 'hang';
    if (behaviour === 'accept-then-drop') return 'drop';
    return behaviour === 'accept-then-500' ? errorAnswer(500, 20500, 'Internal Server Error') : answer;
  }

  function accept(params: Record<string, string>): SentSms {
    const statusCallback = params.StatusCallback || null;
    const message: SentSms = {
      number: kept.count + 1,
      sid: `SM${randomBytes(16).toString('hex')}`,
      at: new Date(),
      to: params.To ?? '',
      from: params.From ?? null,
      body: params.Body ?? '',
      status: 'queued',
      errorCode: null,
      statusCallback,
      delivery: /\/callbacks\/twilio\/([^/?#]+)/.exec(statusCallback ?? '')?.[1] ?? null,
      params,
      callbacks: [],
    };
    record.append([
      {
        at: message.at.toISOString(),
        channel: 'sms',
        recipient: message.to,
        message_id: message.sid,
        delivery: message.delivery,
        tenant: null,
        event: null,
        trigger: null,
      },
    ]);
    kept.add(message);
    return message;
  }

  function list(query: URLSearchParams): LoopbackAnswer {
    const [to, from, size] = [query.get('To'), query.get('From'), Number(query.get('PageSize') ?? 50)];
    const fitting = kept.latest.filter((sms) => (!to || sms.to === to) && (!from || sms.from === from)).reverse();
    const messages = fitting.slice(0, size).map((message) => messageBody(message, accountSid));
    const uri = `${collection}.json?${query}`;
    const pages = { first_page_uri: uri, next_page_uri: null, previous_page_uri: null, page: 0, page_size: size };
    return json(200, { messages, ...pages, start: 0, end: Math.max(0, messages.length - 1), uri });
  }

  return {
    url: server.url,
    port: server.port,
    accountSid,
    authToken,
    get messages() {
      return kept.latest;
    },
    get count() {
      return kept.count;
    },
    waitFor: kept.waitFor,
    waitForCount: kept.waitForCount,
    clear: kept.clear,
    misbehave(next) {
      respond = next;
    },
    callBack(next) {
      callbacks = next;
    },
    callbacksDone: poster.done,
    async stop() {
      poster.stop();
      await server.stop();
      record.close();
    },
  };
}

function json(status: number, body: unknown): LoopbackAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
