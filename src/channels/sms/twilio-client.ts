import type { Twilio } from 'twilio';
import { Agent } from 'undici';
import type { Clock } from '../../core/clock.ts';
import type { Delivery } from '../../notifications/delivery.ts';
import { exchange, type HttpResult } from '../http-exchange.ts';
import { retryAfterMs } from '../retry-after.ts';
import type { TwilioResult } from './twilio-outcome.ts';

export type TwilioSettings = {
  accountSid: string;
  authToken: string;
  /** replaces https://api.twilio.com, for tests and demos */
  apiUrl?: string;
};

/** The sending number, or a messaging service. */
export type SmsSender = { from: string } | { messagingServiceSid: string };

/** A message with a text of ours, or with the variables of a template that Twilio has. */
export type SmsRequest = { to: string; statusCallback: string; sender: SmsSender } & (
  | { body: string }
  | { contentSid: string; contentVariables: Readonly<Record<string, string>> }
);

/** A message from Twilio's list. */
export type TwilioMessage = { sid: string; status: string; body: string };

export type TwilioClient = {
  /** Resolves within `withinMs`, at most `sendTimeoutMs`, and never rejects. */
  create(message: SmsRequest, withinMs?: number): Promise<TwilioResult>;
  /**
   * Lists messages to this number created at or after `since` (tolerating a clock difference of one minute), newest first.
   * @throws Error with a code in its message if Twilio could not be asked
   */
  list(to: string, since: Date): Promise<TwilioMessage[]>;
  close(): Promise<void>;
};

/** Whether Twilio takes a text as a phone number. */
export const isE164 = (number: string): boolean => /^\+[1-9]\d{4,14}$/.test(number);

/** The address to which Twilio reports the status of a delivery's attempt. */
export const statusCallbackOf = (publicUrl: string, { id, fence }: Pick<Delivery, 'id' | 'fence'>): string =>
  `${publicUrl.replace(/\/+$/, '')}/callbacks/twilio/${id}?fence=${fence}`;

const CONNECTIONS = 50;
/** How many of the newest messages to one number are searched. */
const LISTED = 50;
const CLOCKS_APART_MS = 60_000;

const API_URL = 'https://api.twilio.com';

/**
 * Posts messages over undici because the official client can't tell whether an unanswered request was written. Lists
 * messages with the official client over the same connections; it is heavy, so it is loaded on first use.
 *
 * @throws Error that names the invalid setting
 */
export function twilioClient(settings: TwilioSettings, sendTimeoutMs: number, clock: Clock): TwilioClient {
  const { accountSid, authToken, apiUrl } = settings;
  if (!accountSid.startsWith('AC')) throw new Error('TWILIO_ACCOUNT_SID must start with AC');
  if (authToken === '') throw new Error('TWILIO_AUTH_TOKEN is empty');
  if (apiUrl !== undefined && !URL.canParse(apiUrl)) throw new Error('TWILIO_API_URL must be a URL');
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
  let library: Promise<Twilio> | null = null;

  async function load(): Promise<Twilio> {
    const { default: twilio } = await import('twilio');
    // typed as a whole axios client, of which the library calls only `request`
    const httpClient = { request } as unknown as NonNullable<Parameters<typeof twilio>[2]>['httpClient'];
    return twilio(accountSid, authToken, { httpClient });
  }

  function loaded(): Promise<Twilio> {
    library ??= load();
    return library;
  }

  /** The library's HTTP client. @throws Unserved for anything but 2xx */
  async function request(asked: LibraryRequest): Promise<{ statusCode: number; body: string; headers: object }> {
    const url = urlOf(asked, apiUrl);
    const { Authorization } = messages.headers;
    const result = await exchange(
      agent,
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'GET',
        headers: { ...asked.headers, Authorization },
      },
      sendTimeoutMs,
    );
    if (!isServed(result)) throw new Unserved(unservedOf(result, clock));
    return { statusCode: result.status, body: JSON.stringify(fieldsOf(result.body)), headers: result.headers };
  }

  async function create(message: SmsRequest, withinMs = sendTimeoutMs): Promise<TwilioResult> {
    const result = await exchange(agent, { ...messages, body: formOf(message) }, Math.min(withinMs, sendTimeoutMs));
    return isServed(result) ? { kind: 'created', sid: sidOf(result.body) } : unservedOf(result, clock);
  }

  async function list(to: string, since: Date): Promise<TwilioMessage[]> {
    const twilio = await loaded();
    // not filtered by DateSent: a message queued at Twilio has none
    const found = await twilio.messages.list({ to, limit: LISTED });
    const earliest = since.getTime() - CLOCKS_APART_MS;
    return found
      .filter(({ dateCreated }) => !dateCreated || dateCreated.getTime() >= earliest)
      .map(({ sid, status, body }) => ({ sid, status, body }));
  }

  return { create, list, close: () => agent.close() };
}

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

function sidOf(body: string): string | null {
  const { sid } = fieldsOf(body);
  return typeof sid === 'string' ? sid : null;
}

const isServed = (result: HttpResult): result is Extract<HttpResult, { answered: true }> =>
  result.answered && result.status >= 200 && result.status < 300;

type LibraryRequest = {
  uri: string;
  headers: Record<string, string>;
  params?: Record<string, string | number>;
};

/** No 2xx answer. Its message is a code and never the provider's text. */
class Unserved extends Error {
  readonly result: Exclude<TwilioResult, { kind: 'created' }>;

  constructor(result: Exclude<TwilioResult, { kind: 'created' }>) {
    super(`twilio ${result.kind === 'declined' ? (result.code ?? result.status) : result.code}`);
    this.name = 'Unserved';
    this.result = result;
  }
}

function unservedOf(result: HttpResult, clock: Clock): Exclude<TwilioResult, { kind: 'created' }> {
  if (!result.answered) return { kind: 'unanswered', written: result.written, code: result.code };
  const retry_after_ms = retryAfterMs(result.headers['retry-after'], clock.now());
  const declined = { kind: 'declined', status: result.status, code: errorCodeOf(result.body) } as const;
  return retry_after_ms === undefined ? declined : { ...declined, retry_after_ms };
}

function urlOf({ uri, params }: LibraryRequest, apiUrl: string | undefined): URL {
  const asked = new URL(uri);
  for (const [name, value] of Object.entries(params ?? {})) asked.searchParams.set(name, String(value));
  if (!apiUrl) return asked;
  const base = new URL(apiUrl);
  return new URL(`${base.pathname.replace(/\/+$/, '')}${asked.pathname}${asked.search}`, base.origin);
}

function errorCodeOf(body: string): number | null {
  const { code } = fieldsOf(body);
  return typeof code === 'number' ? code : null;
}

/** The fields of a JSON object, or none. Never throws, because after a 2xx answer the message is sent. */
function fieldsOf(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}
