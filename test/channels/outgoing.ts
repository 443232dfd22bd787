import type { Outgoing } from '../../src/notifications/content/message.ts';
import { sampleContent } from '../../src/notifications/content/sample-content.ts';
import { aDelivery } from '../support/message-builders.ts';

export const NOW = new Date('2026-09-01T08:00:00Z');
export const clock = { now: () => NOW };
const SCHOOL = { name: 'School', sender_name: 'School', color: '#17594f', logo_url: '' };

/** A message about one event to one person; each test overrides the fields that matter. */
export function outgoing(
  delivery: Partial<Outgoing['delivery']> = {},
  rest: { content?: Partial<Outgoing['content']>; person?: Partial<Outgoing['person']> } = {},
): Outgoing {
  const trigger = delivery.trigger ?? 'event.published';
  const of = { trigger, locale: 'en', tenant_id: 't1', school: SCHOOL } as const;
  const sample = sampleContent(of, 'email', 'least');
  return {
    delivery: aDelivery({
      id: 'd1',
      tenant_id: 't1',
      school_id: 's1',
      event_id: 'e1',
      trigger,
      user_id: 'u1',
      address: null,
      fence: 1,
      created_at: NOW,
      expires_at: null,
      ...delivery,
    }),
    content: {
      ...sample,
      key: 'k1',
      event_id: 'e1',
      series_id: 'e1',
      event: {
        ...sample.event,
        title: 'Concert',
        when: 'Monday',
        when_short: 'Mon',
        place: 'Hall',
        url: 'https://school.example/events/e1',
        date_known: true,
      },
      message: { subject: '', body: '', from: '' },
      ...rest.content,
    },
    person: {
      name: 'Ada',
      on_behalf_of: '',
      unsubscribe_url: 'https://school.example/u',
      place_url: '',
      acknowledgement_url: '',
      position: '',
      meetings: '',
      registered: '',
      attends: '',
      several: '',
      ...rest.person,
    },
  };
}

/** Texts that contain the recipient's name, and fail for a person called Broken. */
type MailTo = { address: string; person: { name: string }; messageId: string };
const mailText = ({ address, person, messageId }: MailTo) =>
  `Message-ID: <${messageId}@school.example>\r\nTo: ${address}\r\nSubject: Concert\r\n\r\n${filled(person)}\r\n`;

export const texts = {
  email: () => ({ fill: (to: MailTo) => Buffer.from(mailText(to)) }),
  sms: () => ({ fill: filled }),
  push: () => ({ fill: (person: { name: string }) => ({ title: 'Concert', body: filled(person) }) }),
  inApp: () => ({ fill: (person: { name: string }) => ({ title: 'Concert', body: filled(person) }) }),
};

function filled({ name }: { name: string }): string {
  if (name === 'Broken') throw new Error('a template that throws');
  return `Dear ${name}`;
}
