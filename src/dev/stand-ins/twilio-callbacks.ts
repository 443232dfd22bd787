import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js';
import type { SentSms } from './twilio-messages.ts';

export interface CallbackStep {
  /** `sent`, `delivered`, `undelivered`, `failed` … */
  status: string;
  errorCode?: number;
  /** Posted, and answered, before the request that created the message is answered. */
  early?: boolean;
  /** Signs with this instead of the account's token: a forged callback. */
  token?: string;
}

export interface CallbackPoster {
  /** Posts the steps of one message one after the other; resolves when they are answered or have failed. */
  post(message: SentSms, steps: readonly CallbackStep[]): Promise<void>;
  done(): Promise<void>;
  stop(): void;
}

const AT_ONCE = 20;
const TIME_LIMIT_MS = 15_000;

/** Posts status callbacks as Twilio does, signed, at most 20 messages at once. Like Twilio it doesn't repeat them. */
export function callbackPoster(accountSid: string, authToken: string): CallbackPoster {
  const stopping = new AbortController();
  const waiting: (() => void)[] = [];
  let idle: (() => void)[] = [];
  let active = 0;

  async function takeTurn(): Promise<void> {
    if (active >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
    else active++;
  }

  function leaveTurn(): void {
    const next = waiting.shift();
    if (next) {
      next();
      return;
    }
    active--;
    if (active > 0) return;
    for (const resolve of idle) resolve();
    idle = [];
  }

  async function postStep(message: SentSms, url: string, step: CallbackStep): Promise<void> {
    const params: Record<string, string> = {
      AccountSid: accountSid,
      ApiVersion: '2010-04-01',
      ...(message.from === null ? {} : { From: message.from }),
      MessageSid: message.sid,
      MessageStatus: step.status,
      SmsSid: message.sid,
      SmsStatus: step.status,
      To: message.to,
      ...(step.errorCode === undefined ? {} : { ErrorCode: String(step.errorCode) }),
    };
    const answered = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
        'x-twilio-signature': getExpectedTwilioSignature(step.token ?? authToken, url, params),
        'user-agent': 'TwilioProxy/1.1',
      },
      body: new URLSearchParams(params).toString(),
      signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(TIME_LIMIT_MS)]),
    }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => null,
    );
    message.callbacks.push({ status: step.status, answered });
  }

  return {
    async post(message, steps) {
      if (steps.length === 0) return;
      await takeTurn();
      try {
        // The request that created the message is answered first, when these aren't early steps.
        if (!steps[0]?.early) await new Promise(setImmediate);
        for (const step of steps) {
          if (stopping.signal.aborted) return;
          message.status = step.status;
          message.errorCode = step.errorCode ?? null;
          if (message.statusCallback !== null) await postStep(message, message.statusCallback, step);
        }
      } finally {
        leaveTurn();
      }
    },
    async done() {
      if (active > 0) await new Promise<void>((resolve) => idle.push(resolve));
    },
    stop: () => stopping.abort(),
  };
}
