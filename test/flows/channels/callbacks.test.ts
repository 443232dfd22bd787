import { randomInt } from 'node:crypto';
import PostalMime from 'postal-mime';
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js';
import { beforeEach, expect, test } from 'vitest';
import { finishDeliveries, untilIdle } from '../../faults/harness/checks.ts';
import { contactOf, E, eventually, openSchool, publishEvent, putPeople } from '../../support/world.ts';

const S = '/api/v1/operations/suppressions';
const ROUTINE = '+15005550006';
/** A parent of no other test. */
let eva: { user_id: string; email: string; phone: string };

const world = await openSchool();
beforeEach(async () => {
  world.smtp.misbehave(undefined);
  world.twilio.misbehave(undefined);
  world.twilio.callBack(undefined);
  const digits = String(randomInt(10_000_000)).padStart(7, '0');
  eva = { user_id: `eva-${digits}`, email: `eva-${digits}@people.example`, phone: `+42060${digits}` };
  await putPeople(world, [contactOf(1, { ...eva, roles: ['parent'] })]);
});

const idle = () => untilIdle(world);

/** Publishes an event and registers Eva for it. @returns its id */
async function registered(): Promise<string> {
  const id = await publishEvent(world, { registration_type: 'optional', target_audience: ['parents'] });
  const registration = { kind: 'attendee', user_id: eva.user_id };
  expect((await world.call('POST', `${E}/${id}/registrations`, registration)).status).toBe(201);
  // The next message must be the last mail.
  await idle();
  return id;
}

async function send(id: string, channel: string): Promise<void> {
  const message = { subject: 'Boots', body: 'Bring them.', channels: [channel] };
  expect((await world.call('POST', `${E}/${id}/registrations/messages`, message)).status).toBe(202);
}

async function bulk(id: string, channel: string): Promise<unknown> {
  await send(id, channel);
  await idle();
  return rowOf(id, 'message', channel);
}

async function cancelled(id: string, channel: string): Promise<unknown> {
  expect((await world.call('POST', `${E}/${id}/cancel`, { reason: 'Storm' })).status).toBe(200);
  await idle();
  return rowOf(id, 'event.cancelled', channel);
}

/** Finds the newest matching delivery. */
async function rowOf(event_id: string, trigger: string, channel: string) {
  const rows = await world.deliveries({ event_id, trigger, channel });
  return rows.sort((a, b) => b.created_at.getTime() - a.created_at.getTime())[0];
}

async function reply(text: string, sid = `SM${'1'.repeat(32)}`): Promise<void> {
  const url = `${world.apiUrl}/callbacks/sms`;
  const params = { From: eva.phone, To: ROUTINE, Body: text, MessageSid: sid };
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'x-twilio-signature': getExpectedTwilioSignature(world.twilio.authToken, url, params) },
    body: new URLSearchParams(params),
  });
  expect([answer.status, await answer.text()]).toEqual([200, '<Response/>']);
}

/** Posts the report that a mail server would write about the last mail to Eva. */
async function report(
  type: 'delivery-status' | 'feedback-report',
  fields: string,
  change = (mail: string) => mail,
): Promise<unknown> {
  const mail = world.smtp.messages.filter(({ to }) => to.includes(eva.email)).at(-1);
  const copy = `Content-Type: message/rfc822\r\n\r\n${change(mail?.raw.toString('latin1') ?? '')}`;
  const parts = [`Content-Type: message/${type}\r\n\r\n${fields}`, copy].map((part) => `--b\r\n${part}\r\n`).join('');
  const head = `MIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=${type}; boundary=b\r\n\r\n`;
  const answer = await fetch(`${world.apiUrl}/callbacks/email`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.env.BOUNCE_SECRET}`, 'content-type': 'message/rfc822' },
    body: `${head}${parts}--b--\r\n`,
  });
  expect(answer.status).toBe(202);
  return answer.json();
}

test('an SMS whose answer is lost is sent once and counts as delivered, however its callbacks are shuffled', async () => {
  const id = await registered();
  const before = world.twilio.count;
  world.twilio.misbehave(() => 'accept-then-500');
  world.twilio.callBack(() => [
    { status: 'delivered', early: true },
    { status: 'sent', early: true },
    { status: 'delivered' },
    { status: 'sent', token: 'forged'.repeat(6) },
    { status: 'failed', token: 'forged'.repeat(6) },
  ]);
  expect(await cancelled(id, 'sms')).toMatchObject({ status: 'sent', detail: 'delivered', reason: null });
  await eventually('every callback is answered', () => world.twilio.messages.at(-1)?.callbacks.length === 5);
  expect(world.twilio.count).toBe(before + 1);
  const sms = world.twilio.messages.at(-1);
  expect(sms?.callbacks.map(({ answered }) => answered)).toEqual([204, 204, 204, 403, 403]);
  expect(await rowOf(id, 'event.cancelled', 'sms')).toMatchObject({ detail: 'delivered', provider_id: sms?.sid });
});

test('an e-mail whose answer is lost is sent again as the same message', async () => {
  const id = await registered();
  const before = world.smtp.messages.length;
  world.smtp.misbehave((phase) => (phase === 'message' ? 'accept-then-hang' : undefined));
  await send(id, 'email');
  await eventually('no answer comes', async () => (await rowOf(id, 'message', 'email'))?.status === 'unknown');
  world.smtp.misbehave(undefined);
  await finishDeliveries(world, id);
  expect(await rowOf(id, 'message', 'email')).toMatchObject({ status: 'sent', attempts: 2 });
  const mails = await Promise.all(world.smtp.messages.slice(before).map(({ raw }) => PostalMime.parse(raw)));
  // A cancellation of the test before may arrive meanwhile.
  const copies = mails.filter(({ subject }) => subject?.includes('Boots'));
  expect(copies).toHaveLength(2);
  expect(copies[1]?.messageId).toBe(copies[0]?.messageId);
});

test('a STOP to the routine sender stops routine messages but no cancellation', async () => {
  const id = await registered();
  expect(await bulk(id, 'sms')).toMatchObject({ status: 'sent' });
  expect(world.twilio.messages.at(-1)).toMatchObject({ from: ROUTINE, to: eva.phone });
  await reply('Stop');
  expect(await bulk(id, 'sms')).toMatchObject({ status: 'skipped', reason: 'opted_out' });
  expect(await cancelled(id, 'sms')).toMatchObject({ status: 'sent' });
  expect(world.twilio.messages.at(-1)).toMatchObject({ from: world.env.TWILIO_URGENT_FROM, to: eva.phone });

  const next = await registered();
  await reply('START');
  expect(await bulk(next, 'sms')).toMatchObject({ status: 'sent' });

  // Twilio's error stands in for a STOP that never reached us.
  world.twilio.misbehave(({ From }) =>
    From === ROUTINE ? { status: 400, code: 21610, message: 'Attempt to send to unsubscribed recipient' } : undefined,
  );
  expect(await bulk(next, 'sms')).toMatchObject({ status: 'failed', reason: 'opted_out', detail: 'twilio 21610' });
  expect(await bulk(next, 'sms')).toMatchObject({ status: 'skipped', reason: 'opted_out' });
  expect(await cancelled(next, 'sms')).toMatchObject({ status: 'sent' });
  await reply('START');
});

test('an answer in words of its own is kept with event and person, and forwarded to the organizer once', async () => {
  const organizer = contactOf(2, { user_id: 'staff-1', email: `head-${eva.user_id}@people.example`, roles: ['staff'] });
  await putPeople(world, [organizer]);
  const id = await registered();
  await bulk(id, 'sms');
  const sid = `SM${eva.phone}`;
  await Promise.all([1, 2, 3].map(() => reply('We come by car.\u202e\r\nSave us\u0007a place!', sid)));
  await reply('We come by car.', sid);
  await reply('   ', `${sid}-blank`);
  await reply('HELP', `${sid}-help`);
  await idle();

  const text = 'We come by car.\nSave us a place!';
  const answer = { event_id: id, user_id: eva.user_id, name: 'Person 1', channel: 'sms', text, forwarded: true };
  expect((await world.call('GET', `${E}/${id}/answers`)).body).toMatchObject({ data: [answer], has_more: false });
  const ofPerson = `/api/v1/operations/answers?user_id=${eva.user_id}`;
  expect((await world.call('GET', ofPerson)).body.data).toMatchObject([answer]);

  const mails = world.smtp.messages.filter(({ to }) => to.includes(String(organizer.email)));
  const [mail] = await Promise.all(mails.map(({ raw }) => PostalMime.parse(raw)));
  expect(mails).toHaveLength(1);
  expect(mail).toMatchObject({
    subject: 'Reply to a text message: Autumn concert',
    replyTo: [{ address: eva.email }],
  });
  expect(mail?.text).toContain(text);

  await world.call('DELETE', `/api/v1/operations/contacts/${eva.user_id}`);
  expect((await world.call('GET', `${E}/${id}/answers`)).body.data).toMatchObject([{ name: null, text: null }]);
  expect((await world.call('GET', ofPerson)).body.data).toEqual([]);
});

test('a bounce fails its delivery and suppresses the address until staff lift the suppression', async () => {
  const id = await registered();
  expect(await bulk(id, 'email')).toMatchObject({ status: 'sent' });
  const failed = `Reporting-MTA: dns; mx\r\n\r\nFinal-Recipient: rfc822; ${eva.email}\r\nAction: failed\r\nStatus: 5.1.1\r\n`;
  // A Message-ID that can be computed from the delivery id does not prove that the reporter has the message.
  const forged = (mail: string) => mail.replace(/^Message-ID: <(\w{64})\.\w+@/, `Message-ID: <$1.${'0'.repeat(32)}@`);
  const unsigned = (mail: string) => mail.replace(/^Message-ID: <(\w{64})\.\w+@/, 'Message-ID: <$1@');
  for (const change of [forged, unsigned])
    expect(await report('delivery-status', failed, change)).toEqual({ result: 'passed over' });
  expect(await rowOf(id, 'message', 'email')).toMatchObject({ status: 'sent' });
  expect(await report('delivery-status', failed)).toEqual({ result: 'recorded' });
  const back = { status: 'failed', reason: 'bad_address', detail: 'bounce 5.1.1' };
  expect(await rowOf(id, 'message', 'email')).toMatchObject(back);
  expect(await bulk(id, 'email')).toMatchObject({ status: 'skipped', reason: 'suppressed' });

  const listed = await world.call('GET', `${S}?user_id=${eva.user_id}`);
  const [suppression] = listed.body.data as unknown as { id: string }[];
  expect(suppression).toMatchObject({ channel: 'email', kind: 'bounced', why: 'bounce 5.1.1', times: 1 });
  expect((await world.call('DELETE', `${S}/${suppression?.id}`)).status).toBe(204);
  expect(await report('delivery-status', failed)).toEqual({ result: 'recorded' });
  expect(await bulk(id, 'email')).toMatchObject({ status: 'sent' });
});

test('a person who complains gets no more routine mail, but still gets cancellations', async () => {
  const id = await registered();
  expect(await bulk(id, 'email')).toMatchObject({ status: 'sent' });
  expect(await report('feedback-report', 'Feedback-Type: abuse\r\nVersion: 1\r\n')).toEqual({ result: 'recorded' });
  expect(await bulk(id, 'email')).toMatchObject({ status: 'skipped', reason: 'suppressed' });
  expect(await cancelled(id, 'email')).toMatchObject({ status: 'sent' });
  expect(await report('feedback-report', 'Feedback-Type: not-spam\r\nVersion: 1\r\n')).toEqual({ result: 'recorded' });
  expect((await world.call('GET', `${S}?user_id=${eva.user_id}`)).body.data).toEqual([]);
});
