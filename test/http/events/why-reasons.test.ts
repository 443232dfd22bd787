import { describe, expect, test } from 'vitest';
import { REASONS, type Reason } from '../../../src/notifications/delivery.ts';
import type { Fact, FactType } from '../../../src/outbox/fact.ts';
import { CHANNELS } from '../../../src/people/channels.ts';
import { aContact, aRegistration, NOW } from '../../support/builders.ts';
import { E, PARENT, provideHttp, STAFF } from '../../support/http/http-app.ts';
import { aDelivery, aFact } from '../../support/message-builders.ts';

// SMS and WhatsApp are not set up.
const { ask, given, tables } = await provideHttp();

type Line = { trigger: string; channel: string | null; reason: string | null; text: string };

async function linesOf(id: string, user_id = 'anna'): Promise<Line[]> {
  const { body } = await ask(STAFF, 'GET', `${E}/${id}/deliveries?user_id=${user_id}`);
  return body.why.map(({ trigger, channel, reason, text }: Line) => ({ trigger, channel, reason, text }));
}

/** Reasons of messages that were tried; all others were never sent. */
const FAILED: readonly Reason[] = [
  'bad_address',
  'mailbox_full',
  'refused',
  'gone',
  'not_sent',
  'unreachable',
  'tried_out',
  'crashed',
  'errors',
  'discarded',
];

test.each(CHANNELS)('each reason why a person got no reminder by %s is explained and reported', async (channel) => {
  const { id } = await given();
  await tables.facts.put(aFact('reminder.due', { type: channel }, { id: 'fact-1', event_id: id }));
  const about = { event_id: id, fact_id: 'fact-1', trigger: 'reminder.due', channel } as const;
  const people = (Object.keys(REASONS) as Reason[]).map((reason) => ({ reason, user_id: `without ${reason}` }));
  const statusOf = (reason: Reason) => (FAILED.includes(reason) ? 'failed' : 'skipped');
  await tables.contacts.put(...people.map(({ user_id }) => aContact(user_id)));
  await tables.deliveries.put(
    ...people.map(({ reason, user_id }) =>
      aDelivery({ ...about, id: user_id, user_id, name: user_id, status: statusOf(reason), reason }),
    ),
  );
  for (const { reason, user_id } of people) {
    const words = { skipped: 'not sent', failed: 'could not be delivered' }[statusOf(reason)];
    const line = { trigger: 'reminder.due', channel, reason, text: `${words}: ${REASONS[reason]}` };
    expect(await linesOf(id, user_id)).toEqual([line]);
  }

  const report = (await ask(STAFF, 'GET', `${E}/${id}/deliveries/people?limit=100`)).body;
  const reached: Reason[] = ['same_address', 'told_before'];
  const counted = { reached: reached.length, waiting: 0, missed: people.length - reached.length };
  expect(report.counts).toEqual([{ trigger: 'reminder.due', ...counted }]);
  const listed = people.map(({ reason, user_id }) => {
    const outcome = reached.includes(reason) ? 'reached' : 'missed';
    return expect.objectContaining({ user_id, reasons: [reason], outcome });
  });
  expect(new Set(report.data)).toEqual(new Set(listed));
});

const EARLIER = new Date('2026-08-01T08:00:00Z');
const registered = (more: object = {}) =>
  aRegistration({ id: 'r1', user_id: 'anna', created_at: EARLIER, confirmed_at: EARLIER, ...more });

describe('without a message, each fact of which people are notified has a line', () => {
  const other = 'other_channel';
  test.each<[FactType, Partial<Fact['data']>, string[]]>([
    ['event.published', {}, ['email not_decided', 'push not_decided', 'in_app not_decided']],
    ['event.cancelled', {}, ['email not_decided', 'sms not_decided', 'push not_decided', 'in_app not_decided']],
    ['event.started', {}, [`email ${other}`, 'push not_decided', 'in_app not_decided']],
    ['reminder.due', { type: 'sms' }, ['sms not_decided']],
    ['message.requested', { channels: ['whatsapp'] }, ['whatsapp other_registrations']],
    [
      'acknowledgement.reminded',
      { channels: ['push'] },
      [`email ${other}`, 'push confirmed_before', `in_app ${other}`],
    ],
    ['registration.confirmed', {}, ['email not_decided', `push ${other}`, 'in_app not_decided']],
    ['registration.cancelled', { by_staff: true }, CHANNELS.slice(0, 4).map((channel) => `${channel} not_decided`)],
    ['registration.cancelled', {}, ['null own_cancellation']],
  ])('%s %j', async (type, data, expected) => {
    const { id } = await given({ published_at: NOW });
    await tables.contacts.put(aContact('anna', { updated_at: EARLIER }));
    await tables.registrations.put(registered({ event_id: id }));
    const personal = type.startsWith('registration.') ? { registration_id: 'r1', user_id: 'anna' } : {};
    await tables.facts.put(aFact(type, { ...personal, ...data } as never, { event_id: id }));
    expect((await linesOf(id)).map(({ channel, reason }) => `${channel} ${reason}`)).toEqual(expected);
  });
});

test('a registration that its person cancels has a line that says why no message was sent', async () => {
  const { id } = await given();
  const { body } = await ask(PARENT, 'POST', `${E}/${id}/registrations`, { payload: { kind: 'attendee' } });
  const cancelled = await ask(PARENT, 'POST', `${E}/${id}/registrations/${body.id}/cancel`, { payload: {} });
  expect(cancelled.status).toBe(200);
  const own = (await linesOf(id, 'eva')).filter(({ trigger }) => trigger === 'registration.cancelled');
  const text = 'not notified: the person or a guardian cancelled the registration';
  expect(own).toEqual([{ trigger: 'registration.cancelled', channel: null, reason: 'own_cancellation', text }]);
});
