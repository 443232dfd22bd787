import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { untilIdle } from '../faults/harness/checks.ts';
import { contactOf, eventually, openSchool, publishEvent, putPeople } from '../support/world.ts';

const M = '/api/v1/operations/messages';

test('a message of the school reaches each family once and in its language, and no one after it was withdrawn', async () => {
  const world = await openSchool();
  const email = (name: string) => `${name}-${world.scope.school_id}@people.example`;
  const at = (n: number, user_id: string, more: Parameters<typeof contactOf>[1]) => ({
    ...contactOf(n, { user_id, name: user_id, class_ids: [], ...more }),
    ...world.scope,
  });
  await putPeople(world, [
    at(1, 'anna', { email: null, guardians: ['eva'], roles: ['student'], locale: 'cs' }),
    at(2, 'eva', { email: email('family'), roles: ['parent'], locale: 'cs' }),
    at(3, 'adam', { email: email('family'), roles: ['parent'], locale: 'cs' }),
    at(4, 'karl', { email: email('karl'), roles: ['staff'], locale: 'en' }),
    at(5, 'visitor', { email: email('visitor'), roles: ['external'] }),
  ]);
  const text = {
    subject: 'School is closed tomorrow',
    body: 'The heating has failed.\nLessons continue on Thursday.',
    translations: { cs: { subject: 'Zítra je škola zavřená', body: 'Nefunguje topení.\nUčíme se zase ve čtvrtek.' } },
    channels: ['email', 'in_app'],
  };
  const sent = await world.call('POST', M, { ...text, urgent: true });
  expect(sent.status).toBe(202);
  await untilIdle(world);
  const mails = world.smtp.messages.filter(({ to }) => String(to).includes(world.scope.school_id));
  expect(mails.map(({ to }) => String(to)).sort()).toEqual([email('family'), email('karl')].sort());
  const read = async (name: string) => {
    const mail = await PostalMime.parse(mails.find(({ to }) => String(to).includes(email(name)))?.raw ?? '');
    return { subject: mail.subject, text: mail.text?.replaceAll('\r', '') };
  };
  expect(await read('karl')).toEqual({
    subject: 'Urgent: School is closed tomorrow',
    text: expect.stringContaining('Hello karl,\n\nThe heating has failed.\nLessons continue on Thursday.\n\n--\n'),
  });
  expect(await read('family')).toEqual({
    subject: 'Naléhavé: Zítra je škola zavřená',
    text: expect.stringContaining('Dobrý den,\n\nNefunguje topení.\nUčíme se zase ve čtvrtek.\n\n'),
  });
  const report = await world.call('GET', `${M}/${sent.body.id}/deliveries/people`);
  expect(report.body.counts).toEqual([{ trigger: 'message.urgent', reached: 4, waiting: 0, missed: 0 }]);

  const before = world.smtp.messages.length;
  const undone = await world.call('POST', `${M}?hold_seconds=1`, text);
  expect((await world.call('POST', `${M}/${undone.body.id}/withdraw`)).status).toBe(200);
  await untilIdle(world);
  expect(world.smtp.messages).toHaveLength(before);
  const rows = await world.deliveries({ event_id: String(undone.body.id) });
  expect(rows.map(({ status, reason }) => `${status} ${reason}`)).toContain('skipped withdrawn');
  expect(rows.filter(({ status }) => status === 'sent')).toEqual([]);
});

test('a test message shows a text of any kind to the person who asked for it, and to no one else', async () => {
  const world = await openSchool();
  const email = (name: string) => `${name}-${world.scope.school_id}@people.example`;
  const at = (n: number, user_id: string, more: Parameters<typeof contactOf>[1]) => ({
    ...contactOf(n, { user_id, name: user_id, roles: ['staff'], class_ids: [], locale: 'cs', ...more }),
    ...world.scope,
  });
  const { body } = await world.call('GET', '/api/v1/me');
  const me = String(body.user_id);
  await putPeople(world, [
    at(1, me, { email: email('me') }),
    at(2, 'other', { email: email('other') }),
    at(3, 'guardian', { email: email('guardian'), roles: ['parent'] }),
  ]);
  const ask = (trigger: string, channel: string) =>
    world.call('POST', `/api/v1/operations/school/texts/${trigger}/test`, { channel, locale: 'en' });
  const sent = await ask('event.published', 'email');
  expect(sent.status).toBe(202);
  expect((await ask('reminder.due', 'in_app')).status).toBe(202);
  await untilIdle(world);
  const mails = world.smtp.messages.filter(({ to }) => String(to).includes(world.scope.school_id));
  expect(mails.map(({ to }) => String(to))).toEqual([email('me')]);
  const mail = await PostalMime.parse(mails[0]?.raw ?? '');
  expect(mail.subject).toContain('Test: Autumn fair');
  expect(mail.text).toContain('Stalls, music and something warm to drink.');
  expect(mail.text).not.toContain('school.example/events');
  const rows = await world.deliveries({ event_id: String(sent.body.message_id) });
  expect(rows.map(({ user_id, status }) => [user_id, status])).toEqual([[me, 'sent']]);
  const inbox = await world.call('GET', '/api/v1/me/inbox');
  const entries = inbox.body.data as unknown as { title: string }[];
  expect(entries.map(({ title }) => title)).toEqual([expect.stringContaining('Test: Autumn fair')]);
  expect((await world.call('GET', M)).body.data).toEqual([]);
});

test('the administrators are notified once when a webhook is turned off', async () => {
  const world = await openSchool();
  const email = (name: string) => `${name}-${world.scope.school_id}@people.example`;
  const at = (n: number, user_id: string, role: 'admin' | 'staff' | 'student') =>
    contactOf(n, { user_id, name: user_id, roles: [role], class_ids: [], email: email(user_id), locale: 'cs' });
  await putPeople(world, [at(1, 'anna', 'admin'), at(2, 'karl', 'staff'), at(3, 'tom', 'student')]);
  const subscription = { url: 'https://hook.example/', types: ['event.published'] };
  const { body } = await world.call('POST', '/api/v1/operations/webhooks', subscription);
  const webhooks = world.database.collection('webhooks');
  const failing_since = new Date(Date.now() - 6 * 86_400_000);
  // Only public addresses are connected to, so each try fails.
  const url = 'https://localhost/hook';
  await webhooks.updateOne({ _id: String(body.id) }, { $set: { url, failing_since, last_failure_at: new Date() } });
  for (let n = 0; n < 2; n += 1) await publishEvent(world, { target_audience: ['parents'] });
  await eventually('it is off', async () => (await webhooks.findOne({ _id: String(body.id) }))?.enabled === false);
  await untilIdle(world);
  const mails = world.smtp.messages.filter(({ to }) => String(to).includes(world.scope.school_id));
  expect(mails.map(({ to }) => String(to))).toEqual([email('anna')]);
  const mail = await PostalMime.parse(mails[0]?.raw ?? '');
  expect(mail.subject).toBe(`Webhook je vypnutý: ${url}`);
  expect(mail.text).toContain('pět dní tam žádná zpráva nedorazila');
  const anna = await world.token({ ...world.scope, user_id: 'anna', roles: ['admin'], permissions: [] });
  const inbox = await world.call('GET', '/api/v1/me/inbox', undefined, { as: anna });
  const entries = inbox.body.data as unknown as { title: string }[];
  expect(entries.map(({ title }) => title)).toEqual([`Webhook je vypnutý: ${url}`]);
  expect((await world.call('GET', M)).body.data).toEqual([]);
});
