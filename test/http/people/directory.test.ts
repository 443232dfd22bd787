import { describe, expect, it } from 'vitest';
import { describeChannels } from '../../../src/notifications/explain/person-channels.ts';
import type { Contact } from '../../../src/people/contact.ts';
import { aContact, SCOPE } from '../../support/builders.ts';
import { EVERYTHING, provideHttp, STAFF, valuesOf, type Who } from '../../support/http/http-app.ts';
import { aDelivery, aFact } from '../../support/message-builders.ts';

const { ask, tables, stores } = await provideHttp();

const CONTACTS = '/api/v1/operations/contacts';
const OFFICE: Who = { user_id: 'office', roles: ['staff'], permissions: ['events.contacts.manage'] };

const family = () =>
  tables.contacts.put(
    aContact('eva', { name: 'Eva Nová', roles: ['parent'], email: 'eva@home.example', phone: '+420601000001' }),
    aContact('jan', { name: 'Jan Nový', class_ids: ['5a'], guardians: ['eva'], email: null, phone: null }),
    aContact('ota', { name: 'Ota Malý', class_ids: ['6b'], email: null, phone: null }),
  );

describe('the directory', () => {
  it('is filtered by words, class, role and guardian, and paged', async () => {
    await family();
    const find = (query: string) => ask(OFFICE, 'GET', `${CONTACTS}${query}`);
    const found = async (query: string) => valuesOf(await find(query), 'name');
    expect(await found('')).toEqual(['Eva Nová', 'Jan Nový', 'Ota Malý']);
    expect(await found('?q=nov')).toEqual(['Eva Nová', 'Jan Nový']);
    expect(await found('?class_id=6b')).toEqual(['Ota Malý']);
    expect(await found('?role=parent')).toEqual(['Eva Nová']);
    expect(await found('?guardian_id=eva')).toEqual(['Jan Nový']);
    expect(await found('?q=nov&class_id=6b')).toEqual([]);
    const { body: first } = await find('?limit=1&q=nov&left=false');
    expect(await found(`?left=false&q=nov&cursor=${first.next_cursor}`)).toEqual(['Jan Nový']);
    const { body: all } = await find('?limit=2');
    expect(await found(`?limit=2&cursor=${all.next_cursor}`)).toEqual(['Ota Malý']);
    expect((await ask({ ...OFFICE, school_id: 's2' }, 'GET', CONTACTS)).body.data).toEqual([]);
    expect((await ask(STAFF, 'GET', CONTACTS)).status).toBe(403);
  });

  it('is paged after the longest name and id', async () => {
    const [name, id] = ['ř'.repeat(200), '🎓'.repeat(100)];
    await tables.contacts.put(aContact(id, { name }), aContact('other', { name }));
    const { body: first } = await ask(OFFICE, 'GET', `${CONTACTS}?limit=1`);
    const { status, body: second } = await ask(OFFICE, 'GET', `${CONTACTS}?limit=1&cursor=${first.next_cursor}`);
    expect([status, second.has_more]).toEqual([200, false]);
  });
});

describe('the channels of a person', () => {
  it('have the addresses, the bounce of one, and the opt-outs', async () => {
    await family();
    await stores.suppressions.add(SCOPE, 'email', 'eva@home.example', { kind: 'bounced', why: '5.1.1' });
    const wishes = { opted_out: ['event.published:email', '*:push'], locale: null, updated_at: new Date() };
    await stores.preferences.put({ ...SCOPE, user_id: 'eva', ...wishes });
    const { body } = await ask(OFFICE, 'GET', `${CONTACTS}/eva/channels`);
    const [email, push, inbox] = body.data;
    expect(email).toMatchObject({ channel: 'email', address: 'eva@home.example', opted_out: ['event.published'] });
    expect(email.suppression).toMatchObject({ kind: 'bounced', why: '5.1.1', until: expect.any(String) });
    expect(push).toMatchObject({ channel: 'push', address: null, browsers: 0, opted_out: ['*'], suppression: null });
    expect(inbox).toMatchObject({ channel: 'in_app', address: null, opted_out: [] });
    expect((await ask(OFFICE, 'GET', `${CONTACTS}/nobody/channels`)).status).toBe(404);
  });

  it('have the channel turned off to whose sender of routine messages the person answered STOP', async () => {
    await family();
    await stores.suppressions.recordStop('+420700000001', '+420601000001');
    await stores.suppressions.recordStop('whatsapp:+420700000002', '+420601000001');
    const eva = await stores.contacts.find(SCOPE, 'eva');
    const openChannels = new Set(['sms', 'whatsapp'] as const);
    const turnedOff = async (...senders: string[]) => {
      const [sms, whatsapp] = senders.map((sender) => ({ routine: [sender], urgent: [sender] }));
      const deps = { ...stores, openChannels, senders: { ...(sms && { sms }), ...(whatsapp && { whatsapp }) } };
      const channels = await describeChannels(deps, eva as Contact);
      return channels.map(({ opted_out }) => opted_out);
    };
    expect(await turnedOff('+420700000001', 'whatsapp:+420700000001')).toEqual([['*'], []]);
    expect(await turnedOff('+420700000002', 'whatsapp:+420700000002')).toEqual([[], ['*']]);
    expect(await turnedOff()).toEqual([[], []]);
  });

  it('name no suppression of another address, and none for a person without addresses', async () => {
    await family();
    await stores.suppressions.add(SCOPE, 'email', 'other@home.example', { kind: 'bounced', why: '5.1.1' });
    for (const user_id of ['eva', 'jan']) {
      const channels = await ask(OFFICE, 'GET', `${CONTACTS}/${user_id}/channels`);
      expect(valuesOf(channels, 'suppression')).toEqual([null, null, null]);
    }
  });
});

describe('an export of a person', () => {
  it('has every kind of record, without secrets and other people', async () => {
    await family();
    const one = { user_id: 'eva', name: 'Eva Nová', address: 'eva@home.example' };
    const reader = { user_id: 'petr', name: 'Petr Secret', on_behalf_of: [] };
    await tables.deliveries.put(aDelivery({ ...one, id: 'd1', also: [reader as never] }));
    await tables.deliveries.put(aDelivery({ ...one, id: 'd2', school_id: 's2', name: 'Eva elsewhere' }));
    const keys = { p256dh: 'secret-key', auth: 'secret-auth' };
    const device = { ...SCOPE, user_id: 'eva', id: 'p1', endpoint: 'https://push.example/x', keys };
    await tables.pushSubscriptions.put({ ...device, created_at: new Date() });
    await tables.feeds.put({ ...SCOPE, user_id: 'eva', digest: 'secret-digest', in_directory: true });
    const answer = { user_id: 'eva', sid: 'SM1', text: 'We come by car.' };
    await tables.facts.put({ ...aFact('message.answered', answer), ...SCOPE } as never);
    const read = { ...SCOPE, id: 'a1', event_id: 'event-1', user_id: 'eva', by: 'petr secret', note: 'Called at noon' };
    const acknowledgement = { ...read, channel: 'call' as const, at: new Date() };
    await stores.transact((tx) => stores.acknowledgements.add([acknowledgement], tx));
    for (const address of ['eva@home.example', 'petr.secret@home.example'])
      await stores.suppressions.add(SCOPE, 'email', address, { kind: 'bounced', why: '5.1.1' });
    const { status, body, text, headers } = await ask(OFFICE, 'GET', `${CONTACTS}/eva/export`);
    expect(status).toBe(200);
    expect(headers['content-disposition']).toContain('attachment');
    expect(Object.keys(body.records).sort()).toEqual([
      'acknowledgements',
      'contacts',
      'deliveries',
      'facts',
      'feeds',
      'push_subscriptions',
      'suppressions',
    ]);
    expect(body.records.suppressions).toMatchObject([{ channel: 'email', address: 'eva@home.example', why: '5.1.1' }]);
    expect(body.records.contacts[0]).toMatchObject({ name: 'Eva Nová', email: 'eva@home.example' });
    expect(body.records.deliveries).toHaveLength(1);
    expect(text).toContain('We come by car.');
    expect(text).toContain('Called at noon');
    expect(text).not.toMatch(/secret|Petr|elsewhere|"t1"/i);
  });

  it('is 404 for a person without records, and needs the permission', async () => {
    await family();
    expect((await ask(OFFICE, 'GET', `${CONTACTS}/nobody/export`)).status).toBe(404);
    expect((await ask({ ...EVERYTHING, school_id: 's2' }, 'GET', `${CONTACTS}/eva/export`)).status).toBe(404);
    expect((await ask(STAFF, 'GET', `${CONTACTS}/eva/export`)).status).toBe(403);
  });
});
