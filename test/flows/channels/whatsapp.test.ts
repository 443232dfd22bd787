import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js';
import { beforeAll, expect, test } from 'vitest';
import { E, eventually, openSchool, publishEvent } from '../../support/world.ts';

const PHONE = '+420601123456';

const world = await openSchool();
const { WHATSAPP_FROM: FROM, WHATSAPP_TEMPLATES = '' } = world.env;
beforeAll(async () => {
  const eva = { name: 'Eva', email: 'eva@people.example', phone: PHONE, roles: ['parent'], locale: 'en' };
  expect((await world.call('PUT', '/api/v1/operations/contacts/eva', eva)).status).toBe(201);
  const channels = {
    'event.published': ['whatsapp', 'sms'],
    'registration.confirmed': ['whatsapp', 'sms'],
    'event.postponed': ['whatsapp'],
  };
  const school = { name: 'Lipová School', timezone: 'UTC', locale: 'en', channels };
  expect((await world.call('PUT', '/api/v1/operations/school', school)).status).toBe(200);
});

const publish = () => publishEvent(world, { registration_type: 'optional', target_audience: ['parents'] });

const ONE_IS_USED =
  'not sent by this channel: only one of WhatsApp and SMS is used, SMS if WhatsApp does not reach the person';

const toPhone = (event_id: string, trigger: string) =>
  world.deliveries({ event_id, trigger, channel: { $in: ['whatsapp', 'sms'] } });
/** The explanation of the announcement for the two channels. */
const explained = async (event_id: string) => {
  const { body } = await world.call('GET', `${E}/${event_id}/deliveries?user_id=eva`);
  const why = body.why as unknown as { channel: string; text: string }[];
  return Object.fromEntries(why.map(({ channel, text }) => [channel, text]));
};
const receivedBy = async (event_id: string, trigger: string) => {
  const ids = (await toPhone(event_id, trigger)).map((row) => row._id);
  return world.twilio.messages.filter(({ delivery }) => ids.includes(delivery ?? ''));
};

test('a school that chose WhatsApp and SMS reaches people on WhatsApp alone', async () => {
  const event_id = await publish();
  await eventually(
    'it is delivered',
    async () => (await toPhone(event_id, 'event.published'))[0]?.detail === 'delivered',
  );
  expect(await toPhone(event_id, 'event.published')).toMatchObject([{ channel: 'whatsapp', status: 'sent' }]);
  const [message, ...more] = await receivedBy(event_id, 'event.published');
  expect(more).toEqual([]);
  expect(message).toMatchObject({
    to: `whatsapp:${PHONE}`,
    from: `whatsapp:${FROM}`,
    params: { ContentSid: WHATSAPP_TEMPLATES.split('=')[1] },
  });
  expect(JSON.parse(message?.params.ContentVariables ?? '')).toMatchObject({
    1: 'Autumn concert',
    6: 'Eva',
    8: 'Lipová School',
  });
  expect(await explained(event_id)).toMatchObject({ whatsapp: 'sent', sms: ONE_IS_USED });
});

test('a person without WhatsApp gets the message once as SMS', async () => {
  world.twilio.callBack(({ to }) =>
    to.startsWith('whatsapp:')
      ? [{ status: 'sent' }, { status: 'undelivered', errorCode: 63024 }]
      : [{ status: 'sent' }, { status: 'delivered' }],
  );
  const event_id = await publish();
  await eventually('the SMS is delivered', async () => {
    const [row] = await toPhone(event_id, 'event.published');
    return row?.channel === 'sms' && row.detail === 'delivered';
  });
  world.twilio.callBack(undefined);
  expect(await toPhone(event_id, 'event.published')).toHaveLength(1);
  const received = await receivedBy(event_id, 'event.published');
  expect(received.map(({ to }) => to)).toEqual([`whatsapp:${PHONE}`, PHONE]);
  expect(received[1]?.body).toContain('Autumn concert');
  expect(await explained(event_id)).toMatchObject({ whatsapp: ONE_IS_USED, sms: 'sent' });
});

test('a message without template goes as SMS if the school chose both, and is skipped otherwise', async () => {
  const event_id = await publish();
  const as = await world.token({ ...world.scope, user_id: 'eva', roles: ['parent'] });
  expect((await world.call('POST', `${E}/${event_id}/registrations`, { kind: 'attendee' }, { as })).status).toBe(201);
  const isSent = async () => (await receivedBy(event_id, 'registration.confirmed')).length === 1;
  await eventually('the confirmation is sent', isSent);
  expect(await receivedBy(event_id, 'registration.confirmed')).toMatchObject([{ to: PHONE }]);
  const new_start_date = new Date(Date.now() + 14 * 86_400_000).toISOString().slice(0, 10);
  const postponed = await world.call('POST', `${E}/${event_id}/postpone`, { new_start_date, reason: 'Rain' });
  expect(postponed.status).toBe(200);
  await eventually('it is skipped', async () => (await toPhone(event_id, 'event.postponed'))[0]?.status === 'skipped');
  expect(await toPhone(event_id, 'event.postponed')).toMatchObject([
    { channel: 'whatsapp', reason: 'no_template', detail: 'whatsapp event.postponed.en' },
  ]);
});

test('a STOP on WhatsApp stops WhatsApp and no text messages', async () => {
  const url = `${world.apiUrl}/callbacks/sms`;
  const params = { From: `whatsapp:${PHONE}`, To: `whatsapp:${FROM}`, Body: 'STOP', MessageSid: `SM${'1'.repeat(32)}` };
  const { status } = await fetch(url, {
    method: 'POST',
    headers: { 'x-twilio-signature': getExpectedTwilioSignature(world.twilio.authToken, url, params) },
    body: new URLSearchParams(params),
  });
  expect(status).toBe(200);
  const event_id = await publish();
  await eventually('it is skipped', async () => (await toPhone(event_id, 'event.published'))[0]?.status === 'skipped');
  expect(await toPhone(event_id, 'event.published')).toMatchObject([{ channel: 'whatsapp', reason: 'opted_out' }]);
  const message = { subject: 'Boots', body: 'Bring boots.', channels: ['sms'] };
  const as = await world.token({ ...world.scope, user_id: 'eva', roles: ['parent'] });
  await world.call('POST', `${E}/${event_id}/registrations`, { kind: 'attendee' }, { as });
  await world.call('POST', `${E}/${event_id}/registrations/messages`, message);
  await eventually('the SMS is sent', async () => (await receivedBy(event_id, 'message')).length === 1);
});
