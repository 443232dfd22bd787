import PostalMime from 'postal-mime';
import {
  type Filling,
  type SampleMessage,
  type SampleOf,
  sampleContent,
  samplePerson,
} from '../../notifications/content/sample-content.ts';
import type { Channel } from '../../people/channels.ts';
import type { Texts } from './catalogue.ts';
import { segmentsOf } from './short-texts.ts';

/** Renders a text on every channel with sample values, as its reader gets it. @param from the sender: MAIL_FROM */
export async function sampleMessage(
  texts: Texts,
  of: SampleOf,
  { from, filling = 'full' }: { from: string; filling?: Filling },
): Promise<SampleMessage> {
  const person = samplePerson(filling);
  const content = (channel: Channel) => sampleContent(of, channel, filling);
  const to = { address: 'jana@people.example', person, messageId: 'sample', date: new Date(0), draftedAt: new Date(0) };
  const raw = texts.email(content('email'), { from, messageDomain: 'school.example' }).fill(to);
  const mail = await PostalMime.parse(raw);
  const sms = texts.sms(content('sms')).fill(person);
  return {
    email: {
      from: { name: mail.from?.name ?? '', address: mail.from?.address ?? '' },
      subject: mail.subject ?? '',
      text: mail.text ?? '',
      html: mail.html ?? '',
    },
    sms: { text: sms, segments: segmentsOf(sms) },
    push: texts.push(content('push')).fill(person),
    in_app: texts.inApp(content('in_app')).fill(person),
  };
}
