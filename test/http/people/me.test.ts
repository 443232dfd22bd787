import { describe, expect, it } from 'vitest';
import type { StoredEntry } from '../../../src/notifications/inbox/entry.ts';
import { aRegistration } from '../../support/builders.ts';
import { PARENT, provideHttp, serveAnew, valuesOf } from '../../support/http/http-app.ts';
import { aFact, anEntry } from '../../support/message-builders.ts';

const { ask, given, tables } = await provideHttp();

const ME = '/api/v1/me';
/** A token is enough for one's own things. */
const EVA = { ...PARENT, permissions: [] };

const message = async (id: string, minutes: number, more: Partial<StoredEntry> = {}) => {
  const { event_id = 'e1' } = more;
  if (!(await tables.events()).some((event) => event.id === event_id)) await given({ id: event_id });
  const settled_at = new Date(Date.UTC(2026, 8, 1, 8, minutes));
  await tables.inbox.put(anEntry({ id, event_id, settled_at, ...more }));
};

describe('the inbox', () => {
  it('lists the caller’s own messages, newest first, in pages, with the unread count', async () => {
    await message('m1', 1);
    await message('m2', 2, { read_at: new Date() });
    await message('m3', 3);
    await message('x', 4, { user_id: 'other' });
    await message('y', 5, { school_id: 's2' });
    const first = await ask(EVA, 'GET', `${ME}/inbox?limit=2`);
    expect(valuesOf(first, 'id')).toEqual(['m3', 'm2']);
    expect(first.body).toMatchObject({ unread_count: 2, has_more: true });
    const rest = await ask(EVA, 'GET', `${ME}/inbox?limit=2&cursor=${first.body.next_cursor}`);
    expect(valuesOf(rest, 'id')).toEqual(['m1']);
    expect(valuesOf(await ask(EVA, 'GET', `${ME}/inbox?unread=true`), 'id')).toEqual(['m3', 'm1']);
    expect((await ask(EVA, 'GET', `${ME}/inbox?unread=yes`)).status).toBe(422);
    expect((await ask(EVA, 'GET', `${ME}/inbox?user_id=other`)).status).toBe(422);
  });

  it('leaves out and does not count messages about events that the caller may no longer see', async () => {
    await given({ id: 'deleted', deleted_at: new Date() });
    await given({ id: 'unpublished', status: 'draft' });
    await given({ id: 'registered', status: 'draft' });
    await given({ id: 'for staff', visibility: 'staff_only' });
    await tables.registrations.put(aRegistration({ event_id: 'registered', user_id: 'eva' }));
    const ids = ['deleted', 'unpublished', 'registered', 'for staff', 'gone', 'e1'];
    for (const [minutes, id] of ids.entries()) {
      if (id === 'gone') await tables.inbox.put(anEntry({ id, event_id: id }));
      else await message(id, minutes, { event_id: id });
    }
    const inbox = await ask(EVA, 'GET', `${ME}/inbox`);
    expect(valuesOf(inbox, 'id')).toEqual(['e1', 'registered']);
    expect(inbox.body).toMatchObject({ unread_count: 2, unseen_count: 2, has_more: false });
  });

  it('counts a message about several dates as long as one of them is visible', async () => {
    const also = (event_id: string) => ({ also: [{ event_id, reason: 'Rain' }] }) as never;
    await given({ id: 'deleted', deleted_at: new Date() });
    for (const event_id of ['e2', 'gone']) {
      const fact_id = `with ${event_id}`;
      await tables.facts.put(aFact('event.cancelled', also(event_id), { id: fact_id, event_id: 'deleted' }));
      await tables.inbox.put(anEntry({ id: event_id, event_id: 'deleted', trigger: 'event.cancelled', fact_id }));
    }
    await given({ id: 'e2', status: 'cancelled' });
    const { body } = await ask(EVA, 'GET', `${ME}/inbox`);
    expect(body.data).toMatchObject([{ id: 'e2', event_id: 'e2', superseded: false }]);
    expect(body).toMatchObject({ unread_count: 1, unseen_count: 1 });
  });

  it('marks a message about several dates as superseded if those of its reader no longer hold', async () => {
    const { data: stated } = aFact('event.changed', { schedule_version: 7, change_version: 1 });
    const fact = { id: 'change', event_id: 'lead' };
    const also = ['own', 'other'].map((event_id) => ({ event_id, ...stated }));
    await tables.facts.put(aFact('event.changed', { ...stated, schedule_version: 1, also } as never, fact));
    await given({ id: 'lead', status: 'cancelled' });
    await given({ id: 'own', status: 'cancelled' });
    await given({ id: 'other', schedule_version: 7, change_version: 1 });
    await tables.registrations.put(aRegistration({ id: 'r1', event_id: 'own', user_id: 'eva' }));
    const entry = { event_id: 'lead', trigger: 'event.changed', fact_id: 'change', schedule_version: 1 } as const;
    await tables.inbox.put(anEntry({ id: 'of registered', ...entry, registration_ids: ['r1'] }));
    await tables.inbox.put(anEntry({ id: 'of audience', ...entry }));
    const { body } = await ask(EVA, 'GET', `${ME}/inbox`);
    const superseded = body.data.map((one: { id: string; superseded: boolean }) => [one.id, one.superseded]);
    expect(Object.fromEntries(superseded)).toEqual({ 'of registered': true, 'of audience': false });
  });

  it('fills a page with later messages if some are left out', async () => {
    await given({ id: 'returned', status: 'draft' });
    for (let n = 0; n < 9; n++) await message(`m${n}`, n, n > 1 && n < 8 ? { event_id: 'returned' } : {});
    const first = await ask(EVA, 'GET', `${ME}/inbox?limit=2`);
    expect(valuesOf(first, 'id')).toEqual(['m8', 'm1']);
    const rest = await ask(EVA, 'GET', `${ME}/inbox?limit=2&cursor=${first.body.next_cursor}`);
    expect(valuesOf(rest, 'id')).toEqual(['m0']);
    expect(rest.body.has_more).toBe(false);
  });

  it('marks messages that no longer hold as superseded, and counts them', async () => {
    await given({ id: 'cancelled', status: 'cancelled' });
    await message('m1', 1);
    await message('m2', 2, { event_id: 'cancelled' });
    await message('m3', 3, { event_id: 'cancelled', trigger: 'event.cancelled' });
    const { body } = await ask(EVA, 'GET', `${ME}/inbox`);
    const superseded = body.data.map((entry: { id: string; superseded: boolean }) => [entry.id, entry.superseded]);
    expect(superseded).toEqual([
      ['m3', false],
      ['m2', true],
      ['m1', false],
    ]);
    expect(body).toMatchObject({ unread_count: 3 });
    expect(body.data[0].url).toBe('https://school.test/events/cancelled');
  });

  it('marks one message or all as read, also repeatedly', async () => {
    for (const [i, id] of ['m1', 'm2', 'm3'].entries()) await message(id, i);
    for (const _again of [1, 2]) expect((await ask(EVA, 'POST', `${ME}/inbox/m1/read`)).status).toBe(204);
    expect((await ask(EVA, 'POST', `${ME}/inbox/unknown/read`)).status).toBe(404);
    expect((await ask({ ...EVA, user_id: 'other' }, 'POST', `${ME}/inbox/m2/read`)).status).toBe(404);
    expect((await ask(EVA, 'POST', `${ME}/inbox/read_all`)).body).toEqual({ read: 2 });
    expect((await ask(EVA, 'GET', `${ME}/inbox`)).body.unread_count).toBe(0);
  });

  it('clears the badge when seen and keeps the unread count', async () => {
    for (const [i, id] of ['m1', 'm2', 'm3'].entries()) await message(id, i);
    await ask(EVA, 'POST', `${ME}/inbox/m1/read`);
    const counts = async () => (await ask(EVA, 'GET', `${ME}/inbox`)).body;
    expect(await counts()).toMatchObject({ unread_count: 2, unseen_count: 2 });
    expect((await ask(EVA, 'POST', `${ME}/inbox/seen`)).body).toEqual({ seen: 2 });
    expect((await ask(EVA, 'POST', `${ME}/inbox/seen`)).body).toEqual({ seen: 0 });
    expect(await counts()).toMatchObject({ unread_count: 2, unseen_count: 0 });
    await message('m4', 4);
    expect(await counts()).toMatchObject({ unread_count: 3, unseen_count: 1 });
  });

  it('archives a message out of list and counts, and moves it back', async () => {
    for (const [i, id] of ['m1', 'm2'].entries()) await message(id, i);
    const ids = async (query = '') => valuesOf(await ask(EVA, 'GET', `${ME}/inbox${query}`), 'id');
    for (const _again of [1, 2]) expect((await ask(EVA, 'POST', `${ME}/inbox/m1/archive`)).status).toBe(204);
    expect(await ids()).toEqual(['m2']);
    expect(await ids('?archived=true')).toEqual(['m1']);
    expect((await ask(EVA, 'GET', `${ME}/inbox`)).body).toMatchObject({ unread_count: 1, unseen_count: 1 });
    expect((await ask({ ...EVA, user_id: 'other' }, 'POST', `${ME}/inbox/m1/unarchive`)).status).toBe(404);
    expect((await ask(EVA, 'POST', `${ME}/inbox/m1/unarchive`)).status).toBe(204);
    expect(await ids()).toEqual(['m2', 'm1']);
  });
});

describe('preferences', () => {
  it('are empty at first and then the last saved ones', async () => {
    const nothing = { locale: null, opted_out: [], quiet_hours: null };
    expect((await ask(EVA, 'GET', `${ME}/preferences`)).body).toEqual(nothing);
    const opted_out = ['event.published:email', '*:sms', 'reminder.due:*'];
    const payload = { locale: 'cs', opted_out, quiet_hours: { from: '21:00', to: '06:30' } };
    expect(await ask(EVA, 'PUT', `${ME}/preferences`, { payload })).toMatchObject({ status: 200, body: payload });
    expect((await ask(EVA, 'GET', `${ME}/preferences`)).body).toEqual(payload);
    expect((await ask(EVA, 'PUT', `${ME}/preferences`, { payload: {} })).body).toEqual(nothing);
  });

  it.each([
    ['off', 200],
    [null, 200],
    [{ from: '21:00', to: '24:00' }, 422],
    [{ from: '21:00' }, 422],
    [{ from: '21:00', to: '21:00' }, 422],
    ['always', 422],
  ])('take %j as quiet hours, or refuse it: %d', async (quiet_hours, status) => {
    expect((await ask(EVA, 'PUT', `${ME}/preferences`, { payload: { quiet_hours } })).status).toBe(status);
  });

  it.each([
    ['something:email'],
    ['event.published:fax'],
    ['event.published'],
    // a mandatory message can't be opted out of by name
    ['event.cancelled:email'],
    ['event.postponed:in_app'],
  ])('can’t say %s', async (wish) => {
    const answer = await ask(EVA, 'PUT', `${ME}/preferences`, { payload: { opted_out: ['*:push', wish] } });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/opted_out/1' }] } });
  });
});

describe('push subscriptions', () => {
  const url = `${ME}/push_subscriptions`;
  const endpoint = 'https://fcm.googleapis.com/fcm/send/abc';
  const keys = { p256dh: `BN${'x'.repeat(85)}`, auth: 'y'.repeat(22) };

  it('are stored for the caller, who alone can remove them', async () => {
    const answer = await ask(EVA, 'POST', url, { payload: { endpoint, keys, expirationTime: null } });
    expect(answer).toMatchObject({ status: 201, body: { endpoint } });
    expect(await tables.pushSubscriptions()).toMatchObject([{ tenant_id: 't1', user_id: 'eva', endpoint, keys }]);
    expect((await ask({ ...EVA, user_id: 'other' }, 'DELETE', url, { payload: { endpoint } })).status).toBe(404);
    expect((await ask(EVA, 'DELETE', url, { payload: { endpoint } })).status).toBe(204);
    expect(await tables.pushSubscriptions()).toHaveLength(0);
  });

  it('are one row per browser, however its endpoint is written', async () => {
    const spellings = [`${endpoint}#1`, endpoint.replace('fcm', 'FCM'), endpoint.replace('.com/', '.com:443/')];
    for (const spelled of spellings)
      expect((await ask(EVA, 'POST', url, { payload: { endpoint: spelled, keys } })).body).toEqual({ endpoint });
    expect(await tables.pushSubscriptions()).toMatchObject([{ user_id: 'eva', endpoint }]);
    expect((await ask(EVA, 'DELETE', url, { payload: { endpoint: `${endpoint}#2` } })).status).toBe(204);
    expect(await tables.pushSubscriptions()).toHaveLength(0);
  });

  it.each([
    ['http', { endpoint: endpoint.replace('https', 'http'), keys }, '/endpoint'],
    ['a host of the inside', { endpoint: 'https://169.254.169.254/latest', keys }, '/endpoint'],
    ['a host that looks right', { endpoint: 'https://fcm.googleapis.com.evil.test/x', keys }, '/endpoint'],
    ['a user before the host', { endpoint: 'https://fcm.googleapis.com@evil.test/x', keys }, '/endpoint'],
    ['no address', { endpoint: 'fcm', keys }, '/endpoint'],
    ['a key of another length', { endpoint, keys: { ...keys, p256dh: 'BN' } }, '/keys/p256dh'],
    ['a secret of another length', { endpoint, keys: { ...keys, auth: 'y' } }, '/keys/auth'],
    ['a stranger', { endpoint, keys, user_id: 'other' }, '/user_id'],
  ])('with %s are refused', async (_name, payload, pointer) => {
    const answer = await ask(EVA, 'POST', url, { payload });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
    expect(await tables.pushSubscriptions()).toHaveLength(0);
  });

  it('are accepted only for allowed push services', async () => {
    const { ask } = await serveAnew({ pushAllowedHosts: ['http://127.0.0.1:9999'] });
    const status = async (to: string) => (await ask(EVA, 'POST', url, { payload: { endpoint: to, keys } })).status;
    expect(await status('http://127.0.0.1:9999/push')).toBe(201);
    expect(await status(endpoint)).toBe(422);
  });
});
