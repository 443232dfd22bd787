import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { untilIdle } from '../../faults/harness/checks.ts';
import { E, eventually, openSchool, publishEvent } from '../../support/world.ts';

const world = await openSchool();

const idle = () => untilIdle(world);

async function register(id: string, user_id: string, email = `${user_id}@people.example`) {
  const as = await world.token({ ...world.scope, user_id, roles: ['student'] });
  const contact = { email, phone: user_id === 'anna' ? '+420601123456' : null };
  const { status, body } = await world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee', contact }, { as });
  expect(status).toBe(201);
  return String(body.id);
}

const published = (more: object) => publishEvent(world, { registration_type: 'optional', ...more });

const registration = async (id: string, rid: string) =>
  (await world.call('GET', `${E}/${id}/registrations/${rid}`)).body as Record<string, unknown>;

async function lastTextTo(address: string): Promise<{ subject: string; text: string; html: string }> {
  const mail = world.smtp.messages.filter(({ to }) => to.includes(address)).at(-1);
  if (!mail) throw new Error(`no mail to ${address}`);
  const { subject = '', text = '', html = '' } = await PostalMime.parse(mail.raw);
  return { subject, text, html };
}

test('a place given up by the link of a postponement goes to the waitlist when the event is published again', async () => {
  const id = await published({ max_attendees: 1, waitlist_enabled: true });
  const [anna, petr] = [await register(id, 'anna'), await register(id, 'petr')];
  const day = new Date(Date.now() + 14 * 86_400_000).toISOString().slice(0, 10);
  await world.call('POST', `${E}/${id}/postpone`, { new_start_date: day, reason: 'Rain' });
  await idle();
  const link = /http\S+\/place\/[\w-]+/.exec((await lastTextTo('anna@people.example')).text)?.[0] ?? '';
  expect((await lastTextTo('anna@people.example')).html).toContain(`href="${link}"`);
  expect(world.twilio.messages.at(-1)?.body).toContain(link);
  expect((await fetch(link)).status).toBe(200);
  expect(await registration(id, anna)).toMatchObject({ status: 'confirmed' });
  expect((await fetch(link, { method: 'POST' })).status).toBe(200);
  expect(await registration(id, anna)).toMatchObject({ status: 'cancelled' });
  expect((await world.call('GET', `${E}/${id}`)).body).toMatchObject({ current_attendees: 0, available_spots: 1 });
  expect(await registration(id, petr)).toMatchObject({ status: 'waitlisted', waitlist_position: 1 });
  await world.call('POST', `${E}/${id}/publish`);
  await eventually('Petr is promoted', async () => (await registration(id, petr)).status === 'confirmed');
  expect(await registration(id, petr)).toMatchObject({ promoted_because: 'published' });
  await idle();
  const confirmed = { event_id: id, user_id: 'petr', trigger: 'registration.confirmed', channel: 'email' };
  expect(await world.deliveries(confirmed)).toMatchObject([{ status: 'sent' }]);
});

test('cancelling four registrations promotes four people and notifies each once', async () => {
  const id = await published({ max_attendees: 5, waitlist_enabled: true });
  const people: string[] = [];
  for (let n = 0; n < 12; n++) people.push(await register(id, `crowd-${n}`));
  const gone = { registration_ids: people.slice(0, 4), reason: 'A smaller bus' };
  expect(await world.call('POST', `${E}/${id}/registrations/cancel`, gone)).toMatchObject({
    status: 202,
    body: { cancelled: 4, left_out: [] },
  });
  await eventually('four are promoted', async () => {
    const { body } = await world.call('GET', `${E}/${id}`);
    return Number(body.current_attendees) === 5;
  });
  await idle();
  const promoted: number[] = [];
  for (const [n, rid] of people.entries()) {
    if ((await registration(id, rid)).promoted_because === 'many_cancelled') promoted.push(n);
  }
  expect(promoted).toEqual([5, 6, 7, 8]);
  const confirmations = await world.deliveries({ event_id: id, trigger: 'registration.confirmed', channel: 'email' });
  expect(confirmations.filter((row) => promoted.includes(Number(row.user_id.slice('crowd-'.length))))).toHaveLength(4);
});

test('a message of staff reaches its recipients on the chosen channels, also with notifications off', async () => {
  const id = await published({ max_attendees: 1, waitlist_enabled: true, send_notifications: false });
  await register(id, 'karl');
  await register(id, 'lena');
  const message = { subject: 'Boots', body: 'Bring boots.\n\n<b>And a raincoat.</b>', channels: ['email', 'in_app'] };
  const url = `${E}/${id}/registrations/messages`;
  const preview = await world.call('POST', `${url}?dry_run=true`, { ...message, channels: ['email', 'sms'] });
  expect(preview.body).toMatchObject({
    people: 2,
    audience: { email: { told: 2, skipped: {} }, sms: { told: 0, skipped: { no_contact: 2 } } },
  });
  expect((await world.call('POST', url, { ...message, status: 'waitlisted' })).status).toBe(202);
  await idle();
  const rows = await world.deliveries({ event_id: id, trigger: 'message' });
  expect(rows.map((row) => [row.user_id, row.channel, row.status]).sort()).toEqual([
    ['lena', 'email', 'sent'],
    ['lena', 'in_app', 'sent'],
  ]);
  const { subject, text, html } = await lastTextTo('lena@people.example');
  expect(subject).toBe('Autumn concert: Boots');
  expect(text).toContain('Bring boots.\n\n<b>And a raincoat.</b>');
  expect(html).toContain('&lt;b&gt;And a raincoat.');
});

test('an address that a stranger gives obeys the opt-outs and quiet hours of its owner', async () => {
  const owner = { name: 'Olga', email: 'Olga@people.example', roles: ['parent'], timezone: 'UTC' };
  expect((await world.call('PUT', '/api/v1/operations/contacts/olga', owner)).status).toBeLessThan(300);
  const as = await world.token({ ...world.scope, user_id: 'olga', roles: ['parent'] });
  const clockAt = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
  const wishes = { opted_out: ['registration.confirmed:email'], quiet_hours: { from: clockAt(-1), to: clockAt(3) } };
  expect((await world.call('PUT', '/api/v1/me/preferences', wishes, { as })).status).toBe(200);
  const id = await published({});
  await register(id, 'mallory', 'olga@people.example');
  await register(id, 'trent');
  const message = { subject: 'Boots', body: 'Bring boots.', channels: ['email'] };
  expect((await world.call('POST', `${E}/${id}/registrations/messages`, message)).status).toBe(202);
  const emailTo = async (user_id: string, trigger: string) =>
    (await world.deliveries({ event_id: id, user_id, trigger, channel: 'email' }))[0];
  await eventually('confirmations and messages are decided', async () => {
    const rows = await Promise.all(
      ['registration.confirmed', 'message'].flatMap((trigger) => [
        emailTo('mallory', trigger),
        emailTo('trent', trigger),
      ]),
    );
    return rows.map((row) => row?.status).join() === 'skipped,sent,waiting,sent';
  });
  expect(await emailTo('mallory', 'registration.confirmed')).toMatchObject({ reason: 'opted_out' });
  expect((await emailTo('mallory', 'message'))?.held_until?.toISOString().slice(11, 16)).toBe(wishes.quiet_hours.to);
  // A cancellation does not wait for the end of quiet hours.
  expect((await world.call('POST', `${E}/${id}/cancel`, { reason: 'Rain' })).status).toBe(200);
  await eventually(
    'the cancellation is sent',
    async () => (await emailTo('mallory', 'event.cancelled'))?.status === 'sent',
  );
});
