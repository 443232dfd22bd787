import type { AcknowledgeInput } from '../../acknowledgements/acknowledge.ts';
import { cut, severalLines } from '../../core/plain-text.ts';
import { type Scope, scopeOf } from '../../people/caller.ts';
import { readersOf } from '../policy/recipients.ts';
import type { NotificationStores } from '../ports.ts';

/** A received text message, and the sender of ours that it was sent to. */
export type SmsReply = {
  /** Twilio's id of the message */
  sid: string;
  from: string;
  to: string;
  messaging_service_sid: string | null;
  body: string;
  /** Twilio's own classification (STOP, START, HELP), if any */
  opt_out_type: string | null;
};

// Twilio's own keywords.
const STOP = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'];
const START = ['START', 'YES', 'UNSTOP'];
const HELP = ['HELP', 'INFO'];
/** Answers that confirm having read a message that asks for it. */
const CONFIRM = ['OK', 'ANO', 'YES'];

/** Whether a reply asks to stop or restart messages, asks Twilio for help, or is an answer in words of its own. */
export function kindOf({ body, opt_out_type }: Pick<SmsReply, 'body' | 'opt_out_type'>): ReplyKind {
  if (opt_out_type !== null) return opt_out_type === 'STOP' ? 'stop' : opt_out_type === 'START' ? 'start' : 'help';
  const word = onlyWord(body);
  if (STOP.includes(word)) return 'stop';
  if (START.includes(word)) return 'start';
  // Only the bare word is Twilio's: a "Help!" is for the school.
  return HELP.includes(body.trim().toUpperCase()) ? 'help' : 'answer';
}

/** A text of one word in the form of the lists above, without the full stop that people add. */
const onlyWord = (body: string): string =>
  body
    .trim()
    .replace(/[.!]+$/, '')
    .toUpperCase();

export type ReplyKind = 'stop' | 'start' | 'help' | 'answer' | 'acknowledgement';

type Deps = NotificationStores & {
  /** Confirms that a message was read. @returns false if the message asks none of its readers to confirm */
  acknowledge(scope: Scope, input: AcknowledgeInput): Promise<boolean>;
};

/**
 * Records a STOP or START for the sender that got it and no other: a person who stops announcements still gets cancellations
 * if those have a sender of their own. An OK confirms the last message, if it asks for that. Records any other text as an
 * answer. May repeat.
 */
export async function recordReply(deps: Deps, reply: SmsReply): Promise<ReplyKind> {
  const kind = kindOf(reply);
  const from = reply.from.replace(/^whatsapp:/, '');
  const channel = reply.from === from ? 'sms' : 'whatsapp';
  // A STOP on WhatsApp leaves text messages alone: the sender keeps its prefix, and text messages may share the service.
  const service = channel === 'sms' && reply.messaging_service_sid;
  const senders = [reply.to, ...(service ? [service] : [])];
  if (kind === 'stop') for (const sender of senders) await deps.suppressions.recordStop(sender, from);
  if (kind === 'start') for (const sender of senders) await deps.suppressions.removeStop(sender, from);
  if (await acknowledgeLastText(deps, { ...reply, from }, channel)) return 'acknowledgement';
  if (kind === 'answer') await recordAnswer(deps, { ...reply, from }, channel);
  return kind;
}

/** Confirms the last text to that number, if the reply says so. @returns whether it did */
async function acknowledgeLastText(
  { deliveries, acknowledge }: Deps,
  { body, from }: SmsReply,
  channel: 'sms' | 'whatsapp',
): Promise<boolean> {
  const sent = CONFIRM.includes(onlyWord(body)) ? await deliveries.findLastText(channel, from) : null;
  if (!sent) return false;
  const reader_ids = readersOf(sent).map(({ user_id }) => user_id);
  return acknowledge(scopeOf(sent), { event_id: sent.event_id, reader_ids, channel });
}

/** The longest text that Twilio delivers. */
const LENGTH = 1_600;
const FORWARDED_FOR_MS = 30 * 86_400_000;

/**
 * Records an answer with the event and the person of the last text to that number. All schools share the senders, so a number
 * that no school has texted names none, and its text is dropped.
 */
async function recordAnswer(
  { clock, deliveries, contacts, facts }: Deps,
  { sid, from, body }: SmsReply,
  channel: 'sms' | 'whatsapp',
): Promise<void> {
  const text = severalLines(cut(body, LENGTH));
  const answered = text === '' ? null : await deliveries.findLastText(channel, from);
  if (!answered) return;
  const { user_id, event_id, trigger, created_at } = answered;
  const contact = await contacts.find(answered, user_id);
  const now = clock.now();
  const isRecent = now.getTime() - created_at.getTime() <= FORWARDED_FOR_MS;
  await facts.recordAnswer({
    ...scopeOf(answered),
    type: 'message.answered',
    event_id,
    occurred_at: now,
    actor: { user_id },
    data: {
      sid,
      user_id,
      name: answered.name || from,
      email: contact?.email ?? null,
      channel,
      text,
      // A phone that answers each text by itself would otherwise get a forwarded answer to every one of its own.
      forwarded: isRecent && trigger !== 'message.answered',
    },
  });
}
