import type { SuppressionStore } from '../ports.ts';

/** A text message that came in: from whom, and to which of our senders. */
export type SmsReply = {
  from: string;
  to: string;
  messaging_service_sid: string | null;
  body: string;
  /** Twilio's own judgement (STOP, START, HELP), where it gives one */
  opt_out_type: string | null;
};

// The words after which Twilio itself blocks a sender, or lets it through again; alone in the message, in any case.
const STOP = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'];
const START = ['START', 'YES', 'UNSTOP'];

/** What a reply asks for. */
export function wishOf({ body, opt_out_type }: Pick<SmsReply, 'body' | 'opt_out_type'>): 'stop' | 'start' | null {
  if (opt_out_type !== null) return opt_out_type === 'STOP' ? 'stop' : opt_out_type === 'START' ? 'start' : null;
  const word = body.trim().toUpperCase();
  return STOP.includes(word) ? 'stop' : START.includes(word) ? 'start' : null;
}

/**
 * Records a STOP or START for the sender it was written to, and no other: who stops the announcements still hears that an
 * event is off, where that comes from a sender of its own. May repeat; any other reply changes nothing.
 */
export async function recordReply(
  { suppressions }: { suppressions: Pick<SuppressionStore, 'recordStop' | 'removeStop'> },
  reply: SmsReply,
): Promise<'stop' | 'start' | null> {
  const wish = wishOf(reply);
  const senders = [reply.to, ...(reply.messaging_service_sid ? [reply.messaging_service_sid] : [])];
  if (wish)
    for (const sender of senders) await suppressions[wish === 'stop' ? 'recordStop' : 'removeStop'](sender, reply.from);
  return wish;
}
