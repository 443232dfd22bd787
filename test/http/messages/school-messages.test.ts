import { describe, expect, it } from 'vitest';
import { aContact } from '../../support/builders.ts';
import { EVERYTHING, PARENT, pointersOf, provideHttp, STAFF, valuesOf, type Who } from '../../support/http/http-app.ts';
import { aDelivery, anEntry } from '../../support/message-builders.ts';

const { ask, tables, now } = await provideHttp();

const M = '/api/v1/operations/messages';
const TEXTS = '/api/v1/operations/saved-texts';
const OFFICE: Who = { user_id: 'office', roles: ['staff'], permissions: ['events.messages.send'] };
const CLOSED = { subject: 'School is closed tomorrow', body: 'The heating has failed.', channels: ['email', 'in_app'] };

describe('a message of the school', () => {
  it('is stored with its fact once for a key, listed with the name of its sender, and withdrawn once', async () => {
    await tables.contacts.put(aContact('office', { name: 'Olga', email: 'olga@school.example', roles: ['staff'] }));
    expect((await ask(STAFF, 'POST', M, { payload: CLOSED })).status).toBe(403);
    const send = () =>
      ask(OFFICE, 'POST', M, {
        payload: { ...CLOSED, urgent: true, target_audience: ['parents'], reply_to: 'sender' },
        headers: { 'idempotency-key': 'once' },
      });
    const sent = await send();
    expect(sent).toMatchObject({
      status: 202,
      headers: { location: `${M}/${sent.body.id}` },
      body: {
        ...CLOSED,
        status: 'sent',
        urgent: true,
        target_audience: ['parents'],
        class_id: null,
        reply_to: { name: 'Olga', email: 'olga@school.example' },
        sender_name: 'Olga',
      },
    });
    expect((await send()).body).toEqual(sent.body);
    const { id } = sent.body;
    expect(await tables.facts()).toMatchObject([
      { type: 'message.urgent', event_id: id, data: { channels: ['email', 'in_app'] } },
    ]);
    expect((await ask(OFFICE, 'GET', M)).body.data).toEqual([sent.body]);
    for (const _again of [1, 2])
      expect(await ask(OFFICE, 'POST', `${M}/${id}/withdraw`)).toMatchObject({
        status: 200,
        body: { status: 'withdrawn' },
      });
    expect((await ask(OFFICE, 'GET', `${M}/${id}`)).body.withdrawn_at).not.toBeNull();
    expect((await tables.facts()).map(({ type }) => type)).toEqual(['message.urgent', 'message.withdrawn']);
  });

  it('waits as long as it can be undone', async () => {
    const { body } = await ask(OFFICE, 'POST', `${M}?hold_seconds=10`, { payload: CLOSED });
    const at = new Date(now.at.getTime() + 11_000);
    expect(body.send_at).toBe(at.toISOString());
    expect(await tables.facts()).toMatchObject([{ type: 'message.school', data: { tell_at: at } }]);
  });

  it('previews whom it would reach, and whom not', async () => {
    await tables.contacts.put(
      aContact('anna', { email: 'anna@people.example', roles: ['parent'] }),
      aContact('ben', { roles: ['parent'] }),
      aContact('carl', { email: 'carl@people.example', roles: ['staff'] }),
    );
    const payload = { ...CLOSED, channels: ['email'], target_audience: ['parents'] };
    const preview = await ask(OFFICE, 'POST', `${M}?dry_run=true`, { payload });
    expect(preview).toMatchObject({
      status: 200,
      body: { dry_run: true, addressed: 2, people: 1, audience: { email: { told: 1, skipped: { no_contact: 1 } } } },
    });
    expect(await tables.facts()).toEqual([]);
    expect((await ask(OFFICE, 'GET', M)).body.data).toEqual([]);
  });

  it('explains who got it, counts people, and appears under its subject in inbox and operations', async () => {
    await tables.contacts.put(aContact('eva', { roles: ['parent'] }), aContact('karl', { roles: ['staff'] }));
    const { id } = (await ask(OFFICE, 'POST', M, { payload: { ...CLOSED, target_audience: ['parents'] } })).body;
    const [fact] = await tables.facts();
    const about = { event_id: id, fact_id: String(fact?.id), trigger: 'message.school', status: 'sent' } as const;
    await tables.deliveries.put(aDelivery({ ...about, id: 'd1', settled_at: new Date() }));
    await tables.inbox.put(anEntry({ ...about, id: 'd2', title: CLOSED.subject, body: CLOSED.body }));
    const why = async (user_id: string) =>
      (await ask(OFFICE, 'GET', `${M}/${id}/deliveries?user_id=${user_id}`)).body.why;
    expect(await why('eva')).toMatchObject([{ text: 'sent' }, { text: 'sent' }]);
    expect(await why('karl')).toMatchObject([
      { channel: 'email', text: 'not notified: meant for other roles' },
      { channel: 'in_app' },
    ]);
    expect((await ask(OFFICE, 'GET', `${M}/${id}/deliveries/people`)).body).toMatchObject({
      counts: [{ trigger: 'message.school', reached: 1, waiting: 0, missed: 0 }],
    });
    expect((await ask(PARENT, 'GET', '/api/v1/me')).status).toBe(200);
    const entry = async () => (await ask(PARENT, 'GET', '/api/v1/me/inbox')).body;
    expect(await entry()).toMatchObject({
      data: [{ title: CLOSED.subject, url: 'https://school.test/inbox', superseded: false }],
      unread_count: 1,
    });
    await ask(OFFICE, 'POST', `${M}/${id}/withdraw`);
    expect((await entry()).data).toMatchObject([{ superseded: true }]);
    const operator: Who = { roles: ['staff'], permissions: ['events.view', 'events.deliveries.manage'] };
    const operated = await ask(operator, 'GET', '/api/v1/operations/deliveries');
    expect(operated.body.data).toMatchObject([
      { about: 'message', event_title: CLOSED.subject },
      { about: 'message', event_title: CLOSED.subject },
    ]);
  });

  it('names each fault of its body', async () => {
    const refused = await ask(OFFICE, 'POST', M, { payload: { subject: 'x', body: ' ', channels: [] } });
    expect(refused.status).toBe(422);
    expect(pointersOf(refused)).toEqual(['/body', '/channels']);
    const noAddress = await ask(OFFICE, 'POST', M, { payload: { ...CLOSED, reply_to: 'sender' } });
    expect(noAddress).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/reply_to', rule: 'sender_address' }] },
    });
  });
});

it('saved texts are kept by senders, listed by name, and read by those who write to registered people', async () => {
  const fields = { name: 'Closed', subject: CLOSED.subject, body: CLOSED.body };
  const translations = { cs: { subject: 'Zavřeno', body: 'Nefunguje topení.' } };
  expect((await ask(STAFF, 'POST', TEXTS, { payload: fields })).status).toBe(403);
  const saved = await ask(OFFICE, 'POST', TEXTS, { payload: fields });
  expect(saved).toMatchObject({ status: 201, body: { ...fields, translations: null } });
  await ask(OFFICE, 'POST', TEXTS, { payload: { ...fields, name: 'Bus is late' } });
  const url = `${TEXTS}/${saved.body.id}`;
  expect((await ask(OFFICE, 'PUT', url, { payload: { ...fields, translations } })).body).toMatchObject({
    translations,
  });
  const list = async () => valuesOf(await ask(STAFF, 'GET', TEXTS), 'name');
  expect(await list()).toEqual(['Bus is late', 'Closed']);
  expect((await ask(OFFICE, 'DELETE', url)).status).toBe(204);
  expect((await ask(OFFICE, 'DELETE', url)).status).toBe(404);
  expect(await list()).toEqual(['Bus is late']);
  expect((await ask(PARENT, 'GET', TEXTS)).status).toBe(403);
});

describe('a test message', () => {
  const T = '/api/v1/operations/school/texts/event.published/test';

  it.each([
    ['email', { email: null, phone: '+420777123456' }],
    ['sms', { email: 'karl@school.example', phone: null }],
    ['push', { email: 'karl@school.example', phone: null }],
  ])('is refused on %s without an own address for it', async (channel, addresses) => {
    await tables.contacts.put(aContact('karl', { roles: ['staff'], ...addresses }));
    const payload = { channel, locale: 'en' };
    const { status, body } = await ask(EVERYTHING, 'POST', T, { payload });
    expect([status, body.errors]).toMatchObject([422, [{ pointer: '/channel', rule: 'own_address' }]]);
    expect(await tables.facts()).toEqual([]);
  });

  it('is refused to a person who is not in the directory', async () => {
    const { status } = await ask(EVERYTHING, 'POST', T, { payload: { channel: 'in_app', locale: 'en' } });
    expect(status).toBe(422);
  });

  it('has a fact that earlier processes leave to this one, and is in no list', async () => {
    await tables.contacts.put(aContact('karl', { roles: ['staff'] }));
    expect((await ask(EVERYTHING, 'POST', T, { payload: { channel: 'in_app', locale: 'cs' } })).status).toBe(202);
    const sample = { trigger: 'event.published', locale: 'cs' };
    expect(await tables.facts()).toMatchObject([{ data: { channels: ['in_app'], sample, user_id: 'karl' } }]);
    expect((await ask(EVERYTHING, 'GET', M)).body.data).toEqual([]);
  });
});
