import type { Outgoing } from '../../src/notifications/content/message.ts';
import { aDelivery } from '../support/message-builders.ts';

export const NOW = new Date('2026-09-01T08:00:00Z');
export const clock = { now: () => NOW };

/** A message about one event to one person; each test overrides the fields that matter. */
export function outgoing(
  delivery: Partial<Outgoing['delivery']> = {},
  rest: { content?: Partial<Outgoing['content']>; person?: Partial<Outgoing['person']> } = {},
): Outgoing {
  const trigger = delivery.trigger ?? 'event.published';
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
      key: 'k1',
      trigger,
      channel: 'email',
      locale: 'en',
      tenant_id: 't1',
      event_id: 'e1',
      series_id: 'e1',
      sequence: 1,
      school: { name: 'School', sender_name: 'School', color: '#17594f', logo_url: '' },
      event: {
        title: 'Concert',
        when: 'Monday',
        when_short: 'Mon',
        when_yours: '',
        dates: '',
        previous_when: '',
        previous_when_short: '',
        previous_place: '',
        link_changed: false,
        place: 'Hall',
        reason: '',
        description: '',
        price: '',
        register_by: '',
        attachments: '',
        contact: '',
        url: 'https://school.example/events/e1',
        all_day: false,
        date_known: true,
        place_changed: false,
        asks_acknowledgement: false,
        published_again: false,
        keeps_registrations: false,
        open_for_registration: false,
      },
      message: { subject: '', body: '', from: '' },
      reply_to: null,
      calendar: null,
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
