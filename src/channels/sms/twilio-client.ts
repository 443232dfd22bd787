// One file, because the whole library takes 20 MB of memory.
import { validateRequest } from 'twilio/lib/webhooks/webhooks.js';
import { Agent } from 'undici';
import type { Clock } from '../../core/clock.ts';
import { parseObject } from '../../core/objects.ts';
import type { Senders } from '../../notifications/channel-adapter.ts';
import type { Delivery } from '../../notifications/delivery.ts';
import type { Outcome } from '../../notifications/outcome.ts';
import { TWILIO_FAILURES } from '../../notifications/providers/provider-report.ts';
import { exchange, type HttpResult, retryAfterMs } from '../http-exchange.ts';

export type TwilioSettings = {
  accountSid: string;
  authToken: string;
  /** replaces https://api.twilio.com, for tests and demos */
  apiUrl?: string | null;
};

/** The sending number, or a messaging service. */
export type SmsSender = { from: string } | { messagingServiceSid: string };

/** The id under which a STOP is recorded: the number that people see, or its messaging service. */
const senderId = (sender: SmsSender): string => ('from' in sender ? sender.from : sender.messagingServiceSid);

/** The senders that people may send STOP to. @param urgentSenders none: urgent messages come from the same senders */
export function stopSenders(senders: readonly SmsSender[], urgentSenders: readonly SmsSender[] = []): Senders {
  const routine = senders.map(senderId);
  return { routine, urgent: urgentSenders.length > 0 ? urgentSenders.map(senderId) : routine };
}

/** The address of a number on WhatsApp. */
export const whatsAppAddress = (number: string): string => `whatsapp:${number}`;

/** A message with a text of ours, or with the variables of a template that Twilio has. */
type SmsRequest = { to: string; statusCallback: string; sender: SmsSender } & (
  | { body: string }
  | { contentSid: string; contentVariables: Readonly<Record<string, string>> }
);

/** A message from Twilio's list. */
type TwilioMessage = { sid: string; body: string; date_created?: string };

/** Whether Twilio takes a text as a phone number. */
export const isE164 = (number: string): boolean => /^\+[1-9]\d{4,14}$/.test(number);

/** The address to which Twilio reports the status of a delivery's attempt. */
export const statusCallbackOf = (publicUrl: string, { id, fence }: Pick<Delivery, 'id' | 'fence'>): string =>
  `${publicUrl}/callbacks/twilio/${id}?fence=${fence}`;

const CONNECTIONS = 50;
/** How many of the newest messages to one number are searched. */
const LISTED = 50;
const CLOCKS_APART_MS = 60_000;

const API_URL = 'https://api.twilio.com';

/** Talks to Twilio over undici, because the official client can't tell whether an unanswered request was written. */
export function twilioClient(settings: TwilioSettings, sendTimeoutMs: number, clock: Clock) {
  const { accountSid, authToken, apiUrl } = settings;
  const agent = new Agent({ connections: CONNECTIONS, connect: { timeout: sendTimeoutMs } });
  const { origin, pathname } = new URL(apiUrl ?? API_URL);
  const messages = {
    origin,
    path: `${pathname.replace(/\/+$/, '')}/2010-04-01/Accounts/${accountSid}/Messages.json`,
    method: 'POST' as const,
    headers: {
      Accept: 'application/json',
      'Content-Type': 'application/x-www-form-urlencoded',
      Authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
    },
  };
  /** Sends a message. Resolves within `withinMs`, at most `sendTimeoutMs`, and never rejects. */
  async function send(message: SmsRequest, withinMs: number): Promise<Outcome> {
    const result = await exchange(agent, { ...messages, body: formOf(message) }, Math.min(withinMs, sendTimeoutMs));
    const outcome = twilioOutcome(result, clock.now());
    return outcome.kind === 'opted_out' ? { ...outcome, sender: senderId(message.sender) } : outcome;
  }

  /**
   * Lists messages to this number created at or after `since` (tolerating a clock difference of one minute), newest first.
   * @throws Error with a code in its message if Twilio could not be asked
   */
  async function list(to: string, since: Date): Promise<TwilioMessage[]> {
    // Not filtered by DateSent, because a message queued at Twilio has none.
    const query = new URLSearchParams({ To: to, PageSize: String(LISTED) });
    const path = `${messages.path}?${query}`;
    const result = await exchange(agent, { ...messages, method: 'GET', path }, sendTimeoutMs);
    if (!isServed(result)) throw new Error(detailOf(result));
    const earliest = since.getTime() - CLOCKS_APART_MS;
    const found = parseObject(result.body).messages as TwilioMessage[];
    return found.filter(({ date_created }) => !date_created || Date.parse(date_created) >= earliest);
  }

  return { send, list, close: () => agent.close() };
}

export type TwilioClient = ReturnType<typeof twilioClient>;

function formOf({ to, statusCallback, sender, ...text }: SmsRequest): string {
  const form = new URLSearchParams({ To: to, StatusCallback: statusCallback });
  if ('body' in text) form.set('Body', text.body);
  else {
    form.set('ContentSid', text.contentSid);
    form.set('ContentVariables', JSON.stringify(text.contentVariables));
  }
  if ('from' in sender) form.set('From', sender.from);
  else form.set('MessagingServiceSid', sender.messagingServiceSid);
  return form.toString();
}

const isServed = (result: HttpResult): result is Extract<HttpResult, { answered: true }> =>
  result.answered && result.status >= 200 && result.status < 300;

const detailOf = (result: HttpResult): string =>
  `twilio ${result.answered ? (errorCodeOf(result.body) ?? result.status) : result.code}`;

function errorCodeOf(body: string): number | null {
  const { code } = parseObject(body);
  return typeof code === 'number' ? code : null;
}

/** Twilio error codes that mean more than "refused". */
const BY_CODE: Record<
  number,
  'bad_address' | 'opted_out' | 'configuration' | 'throttled' | 'no_account' | 'no_template'
> = {
  ...TWILIO_FAILURES,
  21408: 'configuration',
  21606: 'configuration',
  // the queue of the sending number is full
  21611: 'throttled',
  // the sending number is not set up for WhatsApp
  63007: 'configuration',
  63017: 'throttled',
  63018: 'throttled',
};

/** The meaning of an answer of Twilio, or of none. */
export function twilioOutcome(result: HttpResult, now: Date): Outcome {
  const detail = detailOf(result);
  if (!result.answered) return { kind: result.written ? 'ambiguous' : 'infrastructure', detail };
  const { status, headers, body } = result;
  if (isServed(result)) {
    // Never throws: the message is sent.
    const { sid } = parseObject(body);
    return { kind: 'accepted', provider_id: typeof sid === 'string' ? sid : undefined };
  }
  const code = errorCodeOf(body);
  const retry_after_ms = retryAfterMs(headers['retry-after'], now);
  if (status >= 500) return { kind: 'ambiguous', detail };
  if (status === 429) return { kind: 'throttled', detail, retry_after_ms };
  // 404: no such account at this address
  if (status === 401 || status === 403 || status === 404) return { kind: 'configuration', detail };
  const known = code === null ? undefined : BY_CODE[code];
  if (known === 'throttled') return { kind: known, detail, retry_after_ms };
  // this sender can't reach this recipient; other pairs may work
  if (known === 'configuration') return { kind: known, detail, of: 'route' };
  return { kind: known ?? 'refused', detail };
}

/**
 * Whether Twilio signed a callback with our token (X-Twilio-Signature). `url`: the callback address as Twilio got it,
 * including the query (from PUBLIC_URL, never from the request); `params`: the form fields.
 */
export const twilioSignatureIsValid = (
  authToken: string,
  signature: string,
  url: string,
  params: Record<string, string>,
): boolean => validateRequest(authToken, signature, url, params);
