import PostalMime, { type Email } from 'postal-mime';
import { BUNDLE } from '../../../src/build/compile-texts.ts';
import { loadTexts } from '../../../src/channels/templates/catalogue.ts';
import { digestMail } from '../../../src/channels/templates/digest.ts';
import type { MailTo } from '../../../src/channels/templates/email.ts';
import type { Content, PersonValues } from '../../../src/notifications/content/message.ts';
import { jana, sender } from './texts-samples.ts';

const texts = loadTexts(BUNDLE);

export const DELIVERY = '9f2c'.repeat(16);

/** The raw mail with this content to Jana, whose place is confirmed. */
export function written(content: Content, person: Partial<PersonValues> = {}, to: Partial<MailTo> = {}): string {
  const mail = texts.email(content, sender).fill({
    address: 'jana@home.example',
    person: { ...jana, ...person },
    attendee: { reply_to: null, partstat: 'ACCEPTED' },
    messageId: DELIVERY,
    date: new Date('2026-08-20T10:15:30Z'),
    draftedAt: new Date('2026-08-20T10:15:00Z'),
    ...to,
  });
  return mail.toString();
}

export const received = (raw: string): Promise<Email> => PostalMime.parse(raw);

/** postal-mime reads every line end of quoted-printable as LF. */
export const lf = (text: string): string => text.replaceAll('\r\n', '\n');

export const unfolded = (text: string): string => text.replace(/\n[ \t]/g, '');

/** The digest of these messages, as `emailChannel` composes it. */
export const digestOf = (
  parts: readonly Omit<Parameters<typeof digestMail>[0][number], 'title'>[],
  from = sender,
): string => {
  const titled = parts.map((part) => ({ ...part, title: texts.inApp(part.content).fill(part.person).title }));
  return digestMail(titled, from, {
    address: 'eva@people.example',
    messageId: 'a',
    date: new Date('2026-10-11T07:00:00Z'),
  });
};
