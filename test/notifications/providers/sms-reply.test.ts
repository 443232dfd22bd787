import { expect, test } from 'vitest';
import type { AcknowledgeInput } from '../../../src/acknowledgements/acknowledge.ts';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import { kindOf, type ReplyKind, recordReply, type SmsReply } from '../../../src/notifications/providers/sms-reply.ts';
import type { NewFact } from '../../../src/outbox/fact.ts';
import { aDelivery } from '../../support/message-builders.ts';

const NOW = new Date('2026-10-01T08:00:00Z');
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000);
const REPLY: SmsReply = {
  sid: 'SM1',
  from: '+420601123456',
  to: '+15005550006',
  messaging_service_sid: null,
  body: 'We come by car.',
  opt_out_type: null,
};

type Sent = Partial<Delivery>;
type Received = {
  kind: ReplyKind;
  answers: NewFact<'message.answered'>[];
  asked: string[];
  confirmed: AcknowledgeInput[];
  /** the senders stopped and started */
  stops: string[];
};

/** @param sent the last text message to the number, if any */
async function received(reply: Partial<SmsReply>, sent: Sent | null, isAsked = false): Promise<Received> {
  const answers: NewFact<'message.answered'>[] = [];
  const asked: string[] = [];
  const confirmed: AcknowledgeInput[] = [];
  const stops: string[] = [];
  const kind = await recordReply(
    {
      clock: { now: () => NOW },
      deliveries: {
        findLastText: async (channel: string, address: string) => {
          asked.push(`${channel} ${address}`);
          return sent && aDelivery({ created_at: daysAgo(1), ...sent });
        },
      },
      contacts: { find: async () => null },
      facts: { recordAnswer: async (answer: NewFact<'message.answered'>) => void answers.push(answer) },
      acknowledge: async (_scope: unknown, reading: AcknowledgeInput) => {
        if (isAsked) confirmed.push(reading);
        return isAsked;
      },
      suppressions: {
        recordStop: async (sender: string) => void stops.push(`stop ${sender}`),
        removeStop: async (sender: string) => void stops.push(`start ${sender}`),
      },
    } as unknown as Parameters<typeof recordReply>[0],
    { ...REPLY, ...reply },
  );
  return { kind, answers, asked, confirmed, stops };
}

test.each<[string, Sent, boolean]>([
  ['a message of 30 days ago', { created_at: daysAgo(30) }, true],
  ['a message of 31 days ago', { created_at: daysAgo(31) }, false],
  ['a forwarded answer', { trigger: 'message.answered' }, false],
])('an answer to %s is kept, and forwarded: %j', async (_name, sent, forwarded) => {
  const { answers } = await received({}, { ...sent, event_id: 'event-7', user_id: 'eva', name: 'Eva Nová' });
  const data = { sid: 'SM1', user_id: 'eva', name: 'Eva Nová', email: null, text: 'We come by car.', forwarded };
  expect(answers).toMatchObject([{ type: 'message.answered', event_id: 'event-7', occurred_at: NOW, data }]);
});

test('an answer on WhatsApp belongs to the last message on WhatsApp', async () => {
  const { asked, answers } = await received({ from: 'whatsapp:+420601123456' }, {});
  expect(asked).toEqual(['whatsapp +420601123456']);
  expect(answers).toMatchObject([{ data: { channel: 'whatsapp' } }]);
});

test.each(['stop', 'start'])('a %s by text message counts for the number and its messaging service', async (body) => {
  const { stops } = await received({ body, messaging_service_sid: 'MG1' }, {});
  expect(stops).toEqual([`${body} +15005550006`, `${body} MG1`]);
});

test.each([
  ['STOP', null, 'stop'],
  [' STOP! ', null, 'stop'],
  ['Unsubscribe', null, 'stop'],
  ['start.', null, 'start'],
  ['unstop', null, 'start'],
  ['STOP prosím', null, 'answer'],
  ['Thank you!', null, 'answer'],
  [' help', null, 'help'],
  ['Help!', null, 'answer'],
  // the operator configured other keywords at Twilio
  ['KONEC', 'STOP', 'stop'],
  ['ZAČÁTEK', 'START', 'start'],
  ['STOP', 'HELP', 'help'],
])('%j (%s by Twilio) counts as %s', (body, opt_out_type, kind) => {
  expect(kindOf({ body, opt_out_type })).toBe(kind);
});

test.each(['stop', 'start'])('a %s on WhatsApp counts for its number alone', async (body) => {
  const [from, to] = ['whatsapp:+420601123456', 'whatsapp:+15005550006'];
  const { stops } = await received({ body, from, to, messaging_service_sid: 'MG1' }, {});
  expect(stops).toEqual([`${body} ${to}`]);
});

test('a person without a name in the directory is named by the number', async () => {
  expect((await received({}, { name: '' })).answers).toMatchObject([{ data: { name: '+420601123456' } }]);
});

test('a long answer is cut to what Twilio delivers', async () => {
  const { answers } = await received({ body: 'ž'.repeat(5_000) }, {});
  expect(answers[0]?.data.text).toHaveLength(1_600);
});

test.each<[string, Partial<SmsReply>, Sent | null]>([
  ['from a number that no school has texted', {}, null],
  ['of blanks and control characters', { body: ' \u0000\r\n\u202e ' }, {}],
  ['that is a keyword', { body: 'stop' }, {}],
])('a text %s is not kept', async (_name, reply, sent) => {
  expect((await received(reply, sent)).answers).toEqual([]);
});

test.each(['OK', ' ok. ', 'Ano', 'yes'])('%j confirms that a message which asks for it was read', async (body) => {
  const sent = { event_id: 'event-7', user_id: 'eva', trigger: 'message.urgent' } as const;
  const { kind, answers, confirmed } = await received({ body }, sent, true);
  expect({ kind, answers }).toEqual({ kind: 'acknowledgement', answers: [] });
  expect(confirmed).toEqual([{ event_id: 'event-7', reader_ids: ['eva'], channel: 'sms' }]);
});

test('an OK to a message that asks for nothing is an answer', async () => {
  const { kind, answers } = await received({ body: 'OK' }, {});
  expect({ kind, answers: answers.length }).toEqual({ kind: 'answer', answers: 1 });
});
