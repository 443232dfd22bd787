import { randomBytes } from 'node:crypto';
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js';
import { createSemaphore } from '../../core/priority.ts';
import { LOOPBACK, loopbackServer, type Misbehaviour, misbehave } from './loopback-http.ts';
import { type ReceiveOptions, receivedMessages } from './received.ts';

export type SentSms = {
  sid: string;
  at: Date;
  to: string;
  from: string | null;
  body: string;
  /** As Twilio would answer it now: queued, sent, delivered … */
  status: string;
  /** From the path of the status callback, `/callbacks/twilio/:delivery_id`. */
  delivery: string | null;
  /** All parameters of the request. */
  params: Record<string, string>;
  /** The callbacks made so far, with the HTTP status that the product answered; null when it didn't answer. */
  callbacks: { status: string; answered: number | null }[];
};

type TwilioError = { status: number; code: number; message: string; headers?: Record<string, string> };

export type TwilioMisbehaviour = Misbehaviour<TwilioError>;

type CallbackStep = {
  /** `sent`, `delivered`, `undelivered`, `failed` … */
  status: string;
  errorCode?: number;
  /** Posted, and answered, before the request that created the message is answered. */
  early?: boolean;
  /** Signs with this instead of the account's token: a forged callback. */
  token?: string;
};

const ACCOUNT_SID = `AC${'0'.repeat(32)}`;
const AUTH_TOKEN = 'a'.repeat(32);
const COLLECTION = `/2010-04-01/Accounts/${ACCOUNT_SID}/Messages.json`;
const CREDENTIALS = `Basic ${Buffer.from(`${ACCOUNT_SID}:${AUTH_TOKEN}`).toString('base64')}`;
const SENT_THEN_DELIVERED: readonly CallbackStep[] = [{ status: 'sent' }, { status: 'delivered' }];
const CALLBACKS_AT_ONCE = 20;
const CALLBACK_LIMIT_MS = 15_000;

/** Twilio's message API on 127.0.0.1: create, list, and signed status callbacks, which like Twilio's are not repeated. */
export async function startTwilioStandIn(options: ReceiveOptions = {}) {
  let respond: ((params: Record<string, string>) => TwilioMisbehaviour | undefined) | undefined;
  let callbacks: ((message: SentSms) => readonly CallbackStep[]) | undefined;
  const received = receivedMessages<SentSms>(options);
  const limitCallbacks = createSemaphore(CALLBACKS_AT_ONCE);
  const stopping = new AbortController();

  const app = loopbackServer();
  app.addHook('onRequest', async ({ headers }, reply) => {
    if (headers.authorization !== CREDENTIALS) return reply.code(401).send({ code: 20003, message: 'Authenticate' });
  });
  app.post(COLLECTION, async ({ body }, reply) => {
    const params = Object.fromEntries(new URLSearchParams(String(body)));
    const behaviour = respond?.(params) ?? refusalOf(params);
    const answer = typeof behaviour === 'object' ? errorAnswer(behaviour) : behaviour;
    return misbehave(reply, answer, async () => {
      const message = accept(params);
      const created = { status: 201, body: messageBody(message) };
      const steps = callbacks?.(message) ?? SENT_THEN_DELIVERED;
      for (const step of steps) if (step.early) await callBack(message, step);
      // After the request has been answered.
      setImmediate(async () => {
        for (const step of steps) if (!step.early) await callBack(message, step);
      });
      return created;
    });
  });
  app.get<{ Querystring: { To?: string; PageSize?: string } }>(COLLECTION, async ({ query: { To, PageSize = 50 } }) => {
    const fitting = received.messages.filter((sms) => !To || sms.to === To).reverse();
    return { messages: fitting.slice(0, Number(PageSize)).map(messageBody) };
  });

  function accept(params: Record<string, string>): SentSms {
    const message: SentSms = {
      sid: `SM${randomBytes(16).toString('hex')}`,
      at: new Date(),
      to: params.To ?? '',
      from: params.From ?? null,
      body: params.Body ?? '',
      status: 'queued',
      delivery: /\/callbacks\/twilio\/([^/?#]+)/.exec(params.StatusCallback ?? '')?.[1] ?? null,
      params,
      callbacks: [],
    };
    const { at, to: recipient, sid: message_id, delivery } = message;
    const unknown = { tenant: null, event: null, trigger: null };
    received.accept(message, [{ at: at.toISOString(), channel: 'sms', recipient, message_id, delivery, ...unknown }]);
    return message;
  }

  async function callBack(message: SentSms, { status, errorCode, token = AUTH_TOKEN }: CallbackStep): Promise<void> {
    message.status = status;
    const url = message.params.StatusCallback;
    if (!url) return;
    const params: Record<string, string> = {
      AccountSid: ACCOUNT_SID,
      ApiVersion: '2010-04-01',
      ...(message.from === null ? {} : { From: message.from }),
      MessageSid: message.sid,
      MessageStatus: status,
      SmsSid: message.sid,
      SmsStatus: status,
      To: message.to,
      ...(errorCode === undefined ? {} : { ErrorCode: String(errorCode) }),
    };
    const answered = await limitCallbacks(() =>
      fetch(url, {
        method: 'POST',
        headers: { 'x-twilio-signature': getExpectedTwilioSignature(token, url, params) },
        body: new URLSearchParams(params),
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(CALLBACK_LIMIT_MS)]),
      })
        .then((response) => response.arrayBuffer().then(() => response.status))
        .catch(() => null),
    );
    message.callbacks.push({ status, answered });
  }

  return Object.assign(received, {
    /** The base address that replaces Twilio's own (TWILIO_API_URL). */
    url: await app.listen(LOOPBACK),
    accountSid: ACCOUNT_SID,
    authToken: AUTH_TOKEN,
    /** undefined makes it behave again. */
    misbehave(next: typeof respond) {
      respond = next;
    },
    /** Sets the status callbacks of later messages, in order; undefined: sent and delivered. */
    callBack(next: typeof callbacks) {
      callbacks = next;
    },
    /** Ends immediately and drops waiting callbacks. */
    async stop() {
      stopping.abort();
      await app.close();
    },
  });
}

/** The answer with which Twilio would refuse these parameters, if any. */
function refusalOf(params: Record<string, string>): TwilioError | undefined {
  const { To = '', From, MessagingServiceSid, ContentSid, Body } = params;
  const refused = (code: number, message: string) => ({ status: 400, code, message });
  if (!/^(whatsapp:)?\+[1-9]\d{6,14}$/.test(To)) return refused(21211, `Invalid 'To' Phone Number: ${To}`);
  if (!From && !MessagingServiceSid) return refused(21603, "A 'From' or 'MessagingServiceSid' is required.");
  const isWhatsApp = (address: string): boolean => address.startsWith('whatsapp:');
  if (From && isWhatsApp(From) !== isWhatsApp(To))
    return refused(21910, "Invalid 'From' and 'To' pair. 'From' and 'To' should be of the same channel.");
  if (ContentSid) return undefined;
  if (!Body) return refused(21602, 'Message body is required.');
  if (Body.length <= 1600) return undefined;
  return refused(21617, 'The concatenated message body exceeds the 1600 character limit.');
}

/** The JSON resource of a message, without the fields of Twilio that we never read. */
const messageBody = ({ sid, status, to, body }: SentSms) => ({ sid, status, to, body });

/** An error in the shape of Twilio's API. */
const errorAnswer = ({ headers = {}, ...body }: TwilioError) => ({ status: body.status, headers, body });
