import PostalMime from 'postal-mime';
import type { ReceivedPush } from '../stand-ins/push-stand-in.ts';
import type { ReceivedMail } from '../stand-ins/smtp-stand-in.ts';
import type { SentSms } from '../stand-ins/twilio-messages.ts';
import type { Channel } from './expectations.ts';
import { inSms, plain, type Titled, titlesOf } from './wording.ts';

/** A received message. */
export type Received = {
  channel: Channel;
  address: string;
  event_id: string | null;
  trigger: string | null;
  at: number;
  /** the whole visible text */
  text: string;
};

/** Parses a mail; one message for each recipient. */
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

const KINDS: readonly [RegExp, string][] = [
  [/: (cancelled|zruseno):/, 'event.cancelled'],
  [/: (new date|postponed|novy termin|odlozeno):/, 'event.postponed'],
  [/: (registration confirmed|prihlaska potvrzena):/, 'registration.confirmed'],
  [/: (reminder|pripominka):/, 'reminder.due'],
];

/** Recognises an SMS by its text alone, since it carries no event id. */
export function fromSms({ to, body, at }: SentSms, events: Iterable<Titled & { id: string }>): Received {
  const text = plain(body);
  const kind = KINDS.find(([words]) => words.test(text));
  const event = [...events].find((one) =>
    Object.values(titlesOf(one)).some((title) => text.includes(plain(inSms(title)))),
  );
  return {
    channel: 'sms',
    address: to,
    event_id: event?.id ?? null,
    trigger: kind?.[1] ?? null,
    at: at.getTime(),
    text: body,
  };
}

/** Reads the title and body that a browser shows. */
export function fromPush({ device, at, text, payload }: ReceivedPush): Received {
  const field = (name: string) => (typeof payload[name] === 'string' ? (payload[name] as string) : null);
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

/** Reads an inbox entry. */
export const fromInbox = (user_id: string, entry: InboxEntry): Received => ({
  channel: 'in_app',
  address: user_id,
  event_id: entry.event_id,
  trigger: entry.trigger,
  at: Date.parse(entry.created_at),
  text: `${entry.title}\n${entry.body}`,
});
