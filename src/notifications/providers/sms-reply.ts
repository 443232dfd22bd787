import type { SuppressionStore } from '../ports.ts';

/** A received text message, and the sender of ours that it was sent to. */
export type SmsReply = {
  from: string;
  to: string;
  messaging_service_sid: string | null;
  body: string;
  /** Twilio's own classification (STOP, START, HELP), if any */
  opt_out_type: string | null;
};

// Twilio's own keywords to block and unblock a sender; the only word of the message, in any case.
const STOP = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'];
const START = ['START', 'YES', 'UNSTOP'];

/** Whether a reply asks to stop or restart messages. */
export function optOutRequestOf({
  body,
  opt_out_type,
}: Pick<SmsReply, 'body' | 'opt_out_type'>): 'stop' | 'start' | null {
  if (opt_out_type !== null) return opt_out_type === 'STOP' ? 'stop' : opt_out_type === 'START' ? 'start' : null;
  const word = body.trim().toUpperCase();
  return STOP.includes(word) ? 'stop' : START.includes(word) ? 'start' : null;
}

/**
 * Records a STOP or START for the sender that got it and no other: a person who stops announcements still gets cancellations
 * if those have a sender of their own. May repeat; any other reply changes nothing.
 */
export async function recordReply(
  { suppressions }: { suppressions: Pick<SuppressionStore, 'recordStop' | 'removeStop'> },
  reply: SmsReply,
): Promise<'stop' | 'start' | null> {
  const request = optOutRequestOf(reply);
  const senders = [reply.to, ...(reply.messaging_service_sid ? [reply.messaging_service_sid] : [])];
  // The sender keeps the prefix, so that a STOP on WhatsApp leaves text messages alone.
  const from = reply.from.replace(/^whatsapp:/, '');
  if (request)
    for (const sender of senders) await suppressions[request === 'stop' ? 'recordStop' : 'removeStop'](sender, from);
  return request;
}
