import PostalMime from 'postal-mime';
import type { Channel } from './journal.ts';
import type { ReceivedPush } from './push-stand-in.ts';
import type { ReceivedMail } from './smtp-stand-in.ts';
import type { SentSms } from './twilio-messages.ts';
import { plain } from './wording.ts';

/** A message as it came to somebody. */
export type Received = {
  channel: Channel;
  address: string;
  event_id: string | null;
  trigger: string | null;
  at: number;
  /** everything that is read */
  text: string;
};

/** Reads a mail as its reader's program does; one for each recipient. */
export async function fromMail(mail: ReceivedMail): Promise<Received[]> {
  const { subject = '', text = '' } = await PostalMime.parse(mail.raw);
  return mail.to.map((address) => ({
    channel: 'email',
    address,
    event_id: mail.event,
    trigger: mail.trigger,
    at: mail.at.getTime(),
    text: `${subject}\n${text}`,
  }));
}

/** An SMS says what it is about only in words. */
const KINDS: readonly [RegExp, string][] = [
  [/: (cancelled|zruseno):/, 'event.cancelled'],
  [/: (new date|postponed|novy termin|odlozeno):/, 'event.postponed'],
  [/: (registration confirmed|prihlaska potvrzena):/, 'registration.confirmed'],
  [/: (reminder|pripominka):/, 'reminder.due'],
];

/** An SMS with its link and its words. */
export function fromSms({ to, body, at }: SentSms): Received {
  const kind = KINDS.find(([words]) => words.test(plain(body)));
  return {
    channel: 'sms',
    address: to,
    event_id: /\/events\/([\w-]+)/.exec(body)?.[1] ?? null,
    trigger: kind?.[1] ?? null,
    at: at.getTime(),
    text: body,
  };
}

/** A push message as the browser shows it. */
export function fromPush({ device, at, text, payload }: ReceivedPush): Received {
  const fields = (typeof payload === 'object' && payload !== null ? payload : {}) as Record<string, unknown>;
  const field = (name: string) => (typeof fields[name] === 'string' ? (fields[name] as string) : null);
  return {
    channel: 'push',
    address: device,
    event_id: field('event'),
    trigger: field('trigger'),
    at: at.getTime(),
    text: `${field('title') ?? ''}\n${field('body') ?? text}`,
  };
}

export type InboxEntry = {
  id: string;
  event_id: string;
  trigger: string;
  title: string;
  body: string;
  created_at: string;
};

/** A line of somebody’s inbox. */
export const fromInbox = (user_id: string, entry: InboxEntry): Received => ({
  channel: 'in_app',
  address: user_id,
  event_id: entry.event_id,
  trigger: entry.trigger,
  at: Date.parse(entry.created_at),
  text: `${entry.title}\n${entry.body}`,
});
