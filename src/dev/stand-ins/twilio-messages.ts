import type { LoopbackAnswer } from './loopback-http.ts';

export interface SentSms {
  number: number;
  sid: string;
  at: Date;
  to: string;
  from: string | null;
  body: string;
  /** As Twilio would answer it now: queued, sent, delivered … */
  status: string;
  errorCode: number | null;
  statusCallback: string | null;
  /** From the path of the status callback, `/callbacks/twilio/:delivery_id`. */
  delivery: string | null;
  /** All parameters of the request. */
  params: Record<string, string>;
  /** The callbacks made so far, with the HTTP status that the product answered; null when it didn't answer. */
  callbacks: { status: string; answered: number | null }[];
}

/** The fault for which Twilio would refuse these parameters with status 400, if any. */
export function faultOf(params: Record<string, string>): { code: number; message: string } | undefined {
  if (!params.To) return { code: 21604, message: "A 'To' phone number is required." };
  if (!/^(whatsapp:)?\+[1-9]\d{6,14}$/.test(params.To)) {
    return { code: 21211, message: `Invalid 'To' Phone Number: ${params.To}` };
  }
  if (!params.From && !params.MessagingServiceSid) {
    return { code: 21603, message: "A 'From' or 'MessagingServiceSid' is required." };
  }
  const isWhatsApp = (address = ''): boolean => address.startsWith('whatsapp:');
  if (params.From && isWhatsApp(params.From) !== isWhatsApp(params.To)) {
    return { code: 21910, message: "Invalid 'From' and 'To' pair. 'From' and 'To' should be of the same channel." };
  }
  if (params.ContentSid) return undefined;
  if (!params.Body) return { code: 21602, message: 'Message body is required.' };
  if (params.Body.length > 1600) {
    return { code: 21617, message: 'The concatenated message body exceeds the 1600 character limit.' };
  }
  return undefined;
}

/** The JSON resource of a message, as Twilio answers it. */
export function messageBody(message: SentSms, accountSid: string): Record<string, unknown> {
  const sent = message.status === 'queued' || message.status === 'accepted' ? null : message.at.toUTCString();
  return {
    account_sid: accountSid,
    api_version: '2010-04-01',
    body: message.body,
    date_created: message.at.toUTCString(),
    date_sent: sent,
    date_updated: message.at.toUTCString(),
    direction: 'outbound-api',
    error_code: message.errorCode,
    error_message: null,
    from: message.from,
    messaging_service_sid: message.params.MessagingServiceSid ?? null,
    num_media: '0',
    price: null,
    price_unit: 'USD',
    sid: message.sid,
    status: message.status,
    subresource_uris: { media: `/2010-04-01/Accounts/${accountSid}/Messages/${message.sid}/Media.json` },
    to: message.to,
    uri: `/2010-04-01/Accounts/${accountSid}/Messages/${message.sid}.json`,
  };
}

/** An error in the shape of Twilio's API. */
export function errorAnswer(
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
): LoopbackAnswer {
  const body = { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status };
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}
