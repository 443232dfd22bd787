import type { LoopbackAnswer } from './loopback-http.ts';

export interface SentSms {
  sid: string;
  at: Date;
  to: string;
  from: string | null;
  body: string;
  /** As Twilio would answer it now: queued, sent, delivered … */
  status: string;
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
  if (!/^(whatsapp:)?\+[1-9]\d{6,14}$/.test(params.To ?? '')) {
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

/** The JSON resource of a message, without the fields of Twilio that we never read. */
export const messageBody = ({ sid, status, to, body }: SentSms) => ({ sid, status, to, body });

/** A JSON answer. */
export const json = (status: number, body: unknown, headers: Record<string, string> = {}): LoopbackAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** An error in the shape of Twilio's API. */
export const errorAnswer = (status: number, code: number, message: string, headers?: Record<string, string>) =>
  json(status, { code, message, status }, headers);
