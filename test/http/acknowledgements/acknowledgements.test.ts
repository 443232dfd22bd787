import { beforeEach, describe, expect, it } from 'vitest';
import { fanOut } from '../../../src/notifications/fan-out/fan-out.ts';
import { aContact, NOW } from '../../support/builders.ts';
import { E, EVERYTHING, PARENT, provideHttp, STAFF, valuesOf, type Who } from '../../support/http/http-app.ts';
import { aDelivery, anEntry, fanOutParts } from '../../support/message-builders.ts';

const served = await provideHttp();

const M = '/api/v1/operations/messages';
const OWN = '/api/v1/me/acknowledgements';
const FATHER: Who = { user_id: 'otto', roles: ['parent'], permissions: ['events.view'] };
const OFFICE: Who = { user_id: 'office', roles: ['staff'], permissions: ['events.messages.send'] };
/** Eva (`PARENT`) and Otto are the parents of Ida in 5.A; Jan in 5.B has no guardian; Karl is staff. */
const PEOPLE = [
  aContact('eva', { name: 'Eva', roles: ['parent'], email: 'eva@people.example' }),
  aContact('otto', { name: 'Otto', roles: ['parent'] }),
  aContact('ida', { name: 'Ida Malá', class_ids: ['5A'], guardians: ['eva', 'otto'] }),
  aContact('jan', { name: 'Jan Velký', class_ids: ['5B'] }),
  aContact('karl', { name: 'Karl', roles: ['staff'] }),
];
const TO_PARENTS = { target_audience: ['parents' as const], asks_acknowledgement: true };

beforeEach(async () => {
  await served.tables.contacts.put(...PEOPLE);
});

const list = async (id: string, query = '') =>
  (await served.ask(STAFF, 'GET', `${E}/${id}/acknowledgements${query}`)).body;

describe('an event that asks its readers to confirm', () => {
  it('lists families who have confirmed and who have not, also those without a guardian', async () => {
    const { ask, given, tables } = served;
    const { id } = await given(TO_PARENTS);
    expect(await list(id)).toMatchObject({
      counts: { confirmed: 0, open: 2 },
      classes: [
        { class_id: '5A', confirmed: 0, open: 1 },
        { class_id: '5B', confirmed: 0, open: 1 },
      ],
      data: [
        { name: 'Ida Malá', readers: [{ name: 'Eva' }, { name: 'Otto' }, { name: 'Ida Malá' }], acknowledgement: null },
        { name: 'Jan Velký', readers: [{ name: 'Jan Velký' }] },
      ],
    });
    expect((await ask(PARENT, 'GET', `${OWN}/${id}`)).body).toEqual({ state: 'asked' });
    expect((await ask(PARENT, 'POST', `${OWN}/${id}`)).status).toBe(204);
    // The other parent has nothing left to confirm, and the first confirmation stays.
    expect((await ask(FATHER, 'GET', `${OWN}/${id}`)).body).toEqual({ state: 'confirmed' });
    expect((await ask(FATHER, 'POST', `${OWN}/${id}`)).status).toBe(204);
    const { counts, data } = await list(id, '?state=confirmed');
    expect(counts).toEqual({ confirmed: 1, open: 1 });
    expect(data).toMatchObject([
      { user_id: 'ida', acknowledgement: { channel: 'in_app', by: { user_id: 'eva', name: 'Eva' } } },
    ]);
    expect((await list(id, '?class_id=5B&state=open&name=vel')).data).toMatchObject([{ user_id: 'jan' }]);
    expect(await tables.facts()).toMatchObject([
      { type: 'acknowledgement.given', event_id: id, actor: { user_id: 'eva' }, data: { user_id: 'ida' } },
    ]);
  });

  it('is confirmed for a family by the button behind the link of an e-mail, and not by opening the link', async () => {
    const { ask, given, deps } = served;
    const { id, tenant_id, school_id } = await given(TO_PARENTS);
    const token = deps.links.acknowledgement({ tenant_id, school_id, event_id: id, user_ids: ['otto'] });
    const page = await ask(null, 'GET', `/ack/${token}`);
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('I have read this') });
    expect((await list(id)).counts.confirmed).toBe(0);
    for (const _again of [1, 2]) expect((await ask(null, 'POST', `/ack/${token}`)).text).toContain('Thank you');
    expect((await list(id)).data[0].acknowledgement).toMatchObject({ channel: 'email', by: { user_id: 'otto' } });
    expect((await ask(null, 'GET', `/ack/${token}`)).text).not.toContain('<button>');
    expect((await ask(null, 'POST', `/ack/${token}x`)).status).toBe(404);
  });

  it('is confirmed by no one whom it does not concern, and not after it was cancelled', async () => {
    const { ask, given, tables } = served;
    const { id } = await given(TO_PARENTS);
    const refused = { status: 409, body: { code: 'not_asked' } };
    expect(await ask(EVERYTHING, 'POST', `${OWN}/${id}`)).toMatchObject(refused);
    expect((await ask({ ...PARENT, school_id: 's2' }, 'POST', `${OWN}/${id}`)).status).toBe(404);
    expect((await ask({ ...PARENT, school_id: 's2' }, 'GET', `${OWN}/${id}`)).body).toEqual({ state: 'not_asked' });
    await tables.events.set({ status: 'cancelled' }, id);
    expect(await ask(PARENT, 'POST', `${OWN}/${id}`)).toMatchObject(refused);
    expect((await ask(PARENT, 'GET', `${E}/${id}/acknowledgements`)).status).toBe(403);
  });

  it('is not asked of a pupil who may not see it, since only parents do', async () => {
    const { ask, given } = served;
    const { id } = await given({ ...TO_PARENTS, visibility: 'parents_only' });
    const ida: Who = { user_id: 'ida', roles: ['student'], permissions: ['events.view'] };
    expect((await ask(PARENT, 'GET', `${OWN}/${id}`)).body).toEqual({ state: 'asked' });
    expect((await ask(ida, 'GET', `${OWN}/${id}`)).body).toEqual({ state: 'not_asked' });
  });

  it('shows the question in the inbox until the reader has confirmed', async () => {
    const { ask, given, tables } = served;
    const { id } = await given(TO_PARENTS);
    await tables.inbox.put(anEntry({ event_id: id }));
    const entry = async () => (await ask(PARENT, 'GET', '/api/v1/me/inbox')).body.data[0];
    expect(await entry()).toMatchObject({ acknowledgement: 'asked', read_at: null });
    await ask(PARENT, 'POST', `${OWN}/${id}`);
    expect(await entry()).toMatchObject({ acknowledgement: 'confirmed', read_at: expect.any(String) });
  });

  it('marks the announcement of a series as read that is confirmed at one of its dates', async () => {
    const { ask, given, tables } = served;
    const { id } = await given(TO_PARENTS);
    const { id: second } = await given({ ...TO_PARENTS, parent_event_id: id });
    await tables.inbox.put(anEntry({ event_id: id }));
    expect((await ask(PARENT, 'POST', `${OWN}/${second}`)).status).toBe(204);
    expect(await tables.inbox()).toMatchObject([{ read_at: expect.any(Date) }]);
  });

  it('marks the messages in the inbox that ask for it as read, and no other, if it is confirmed by e-mail', async () => {
    const { ask, given, tables, deps } = served;
    const { id, tenant_id, school_id } = await given(TO_PARENTS);
    await tables.inbox.put(
      anEntry({ event_id: id, id: 'announced' }),
      anEntry({ event_id: id, id: 'reminded', trigger: 'acknowledgement.due' }),
      anEntry({ event_id: id, id: 'changed', trigger: 'event.changed' }),
      anEntry({ event_id: id, id: 'other', user_id: 'otto' }),
    );
    const token = deps.links.acknowledgement({ tenant_id, school_id, event_id: id, user_ids: ['eva'] });
    await ask(null, 'POST', `/ack/${token}`);
    const rows = await tables.inbox();
    expect(rows.flatMap((row) => (row.read_at ? row.id : []))).toEqual(['announced', 'reminded']);
  });
});

it('a message of the school is confirmed and listed in the same way', async () => {
  const { ask } = served;
  const payload = { subject: 'Closed', body: 'Stay at home.', channels: ['email'], ...TO_PARENTS, class_id: '5A' };
  const { id, asks_acknowledgement } = (await ask(OFFICE, 'POST', M, { payload })).body;
  expect(asks_acknowledgement).toBe(true);
  const counts = async () => (await ask(OFFICE, 'GET', `${M}/${id}/acknowledgements`)).body.counts;
  expect(await counts()).toEqual({ confirmed: 0, open: 1 });
  await ask(PARENT, 'POST', `${OWN}/${id}`);
  expect(await counts()).toEqual({ confirmed: 1, open: 0 });
  await ask(OFFICE, 'POST', `${M}/${id}/withdraw`);
  expect((await ask(PARENT, 'GET', `${OWN}/${id}`)).body).toEqual({ state: 'not_asked' });
  expect((await ask(STAFF, 'GET', `${M}/${id}/acknowledgements`)).status).toBe(403);
});

describe('a reminder', () => {
  it('is recorded for a message of the school that asks, and refused for an event that does not or is over', async () => {
    const { ask, given, tables } = served;
    const payload = { subject: 'Closed', body: 'Stay at home.', channels: ['email'], ...TO_PARENTS };
    const { id } = (await ask(OFFICE, 'POST', M, { payload })).body;
    expect((await ask(STAFF, 'POST', `${M}/${id}/acknowledgements/remind`)).status).toBe(403);
    expect((await ask(OFFICE, 'POST', `${M}/${id}/acknowledgements/remind`)).status).toBe(202);
    expect((await tables.facts()).at(-1)).toMatchObject({ type: 'acknowledgement.reminded', event_id: id });
    const { id: silent } = await given();
    const { id: over } = await given({ ...TO_PARENTS, status: 'completed' });
    for (const one of [silent, over])
      expect(await ask(STAFF, 'POST', `${E}/${one}/acknowledgements/remind`)).toMatchObject({
        status: 409,
        body: { code: 'not_asked' },
      });
  });

  it('goes to those who have not confirmed, about the children for whom they can', async () => {
    const { ask, given, stores, tables } = served;
    await tables.contacts.put(aContact('zoe', { name: 'Zoe', class_ids: ['5A'], guardians: ['otto'] }));
    const { id } = await given(TO_PARENTS);
    await ask(PARENT, 'POST', `${OWN}/${id}`);
    expect((await ask(FATHER, 'GET', `${OWN}/${id}`)).body).toEqual({ state: 'asked' });
    await ask(STAFF, 'POST', `${E}/${id}/acknowledgements/remind`);
    const fact = (await tables.facts()).at(-1);
    await fanOut({ ...stores, ...fanOutParts, openChannels: new Set(['in_app']) }, String(fact?.id));
    // Eva has confirmed for Ida; Otto is also the father of Zoe.
    const rows = (await tables.deliveries()).filter(({ channel }) => channel === 'in_app');
    expect(rows).toMatchObject([{ user_id: 'otto', status: 'sent', on_behalf_of: [{ user_id: 'zoe', name: 'Zoe' }] }]);
  });
});

it('the call list has the numbers of a family, and drops it when staff have reached it', async () => {
  const { ask, given, tables } = served;
  const { id } = await given(TO_PARENTS);
  await tables.contacts.set({ phone: '+420601000001' });
  const calls = async () => (await ask(STAFF, 'GET', `${E}/${id}/call_list`)).body.data;
  expect(await calls()).toMatchObject([
    { user_id: 'ida', numbers: [{ name: 'Eva', phone: '+420601000001' }, { name: 'Otto' }, { name: 'Ida Malá' }] },
    { user_id: 'jan' },
  ]);
  const reached = (user_id: string, who: Who = STAFF) =>
    ask(who, 'POST', `${E}/${id}/call_list/${user_id}/reached`, { payload: { note: 'Her aunt tells them.' } });
  expect((await reached('ida', PARENT)).status).toBe(403);
  expect((await reached('karl')).status).toBe(404);
  expect((await reached('ida')).status).toBe(204);
  expect(await calls()).toMatchObject([{ user_id: 'jan' }]);
  expect((await list(id, '?state=confirmed')).data).toMatchObject([
    { user_id: 'ida', acknowledgement: { channel: 'call', by: { user_id: 'staff' }, note: 'Her aunt tells them.' } },
  ]);
  expect((await tables.facts()).at(-1)).toMatchObject({ type: 'acknowledgement.given', actor: { user_id: 'staff' } });
});

it('the call list for a deadline has those whom no message leaves for before, and not those who only have it in the inbox', async () => {
  const { ask, given, deps } = served;
  const { id } = await given(TO_PARENTS);
  const at = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);
  await deps.deliveries.insertMany([
    aDelivery({ event_id: id, id: 'd1', user_id: 'otto', channel: 'email', status: 'waiting', due_at: at(2) }),
    aDelivery({ event_id: id, id: 'd2', user_id: 'eva', channel: 'in_app', status: 'sent' }),
    aDelivery({ event_id: id, id: 'd3', user_id: 'jan', channel: 'email', status: 'failed', reason: 'bad_address' }),
  ]);
  const missed = async (deadline: Date) =>
    valuesOf(await ask(STAFF, 'GET', `${E}/${id}/call_list?deadline=${deadline.toISOString()}`), 'user_id');
  expect(await missed(at(1))).toEqual(['ida', 'jan']);
  expect(await missed(at(3))).toEqual(['jan']);
});

it('an event may remind people who have not confirmed by itself, which its reminders before the start don’t list', async () => {
  const { ask, given, stores } = served;
  const acknowledgement_reminder = { after_hours: 24, channels: ['sms' as const] };
  const { id } = await given({ ...TO_PARENTS, status: 'draft' });
  const edit = (payload: object) => ask(EVERYTHING, 'PATCH', `${E}/${id}`, { payload });
  expect((await edit({ acknowledgement_reminder })).body.acknowledgement_reminder).toEqual(acknowledgement_reminder);
  expect(await edit({ acknowledgement_reminder: { after_hours: 169, channels: [] } })).toMatchObject({
    status: 422,
    body: {
      errors: [{ pointer: '/acknowledgement_reminder/after_hours' }, { pointer: '/acknowledgement_reminder/channels' }],
    },
  });
  expect(await edit({ asks_acknowledgement: false })).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '/asks_acknowledgement', rule: 'required' }] },
  });
  expect((await ask(EVERYTHING, 'POST', `${E}/${id}/publish`)).status).toBe(200);
  expect(await stores.reminders.listOfEvents([id])).toMatchObject([
    { event_id: id, status: 'planned', channels: ['sms'] },
  ]);
  expect((await ask(EVERYTHING, 'GET', `${E}/${id}/reminders`)).body.data).toEqual([]);
});

it('a message of the school may carry the same rule, which counts from when it is sent', async () => {
  const { ask, tables } = served;
  const acknowledgement_reminder = { after_hours: 2, channels: ['sms'] };
  const send = (more: object) =>
    ask(OFFICE, 'POST', `${M}?hold_seconds=60`, {
      payload: { subject: 'Trip', body: 'Bring boots.', channels: ['email'], acknowledgement_reminder, ...more },
    });
  expect(await send({ asks_acknowledgement: false })).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '/asks_acknowledgement' }] },
  });
  const { body } = await send({ asks_acknowledgement: true });
  expect(body.acknowledgement_reminder).toEqual(acknowledgement_reminder);
  const tell_at = new Date(new Date(body.send_at).getTime() + 2 * 3_600_000);
  expect(await tables.facts()).toMatchObject([
    { type: 'message.school', event_id: body.id },
    { type: 'acknowledgement.reminded', event_id: body.id, data: { channels: ['sms'], tell_at } },
  ]);
});

it('a reminder can follow hours later on another channel, for those who have not confirmed by then', async () => {
  const { ask, given, stores, tables } = served;
  const { id } = await given(TO_PARENTS);
  await tables.contacts.set({ phone: '+420601000001' });
  const remind = (payload: object) => ask(STAFF, 'POST', `${E}/${id}/acknowledgements/remind`, { payload });
  expect((await remind({ channels: ['sms', 'sms'], after_hours: 24 })).status).toBe(202);
  const [fact] = (await tables.facts()).slice(-1);
  const tell_at = new Date(Number(fact?.occurred_at) + 24 * 3_600_000);
  expect(fact).toMatchObject({ type: 'acknowledgement.reminded', data: { channels: ['sms'], tell_at } });
  await fanOut({ ...stores, ...fanOutParts, openChannels: new Set(['sms', 'email']) }, String(fact?.id));
  const rows = await tables.deliveries();
  expect(rows.map(({ channel }) => channel)).toEqual(rows.map(() => 'sms'));
  expect(rows.find(({ user_id }) => user_id === 'eva')).toMatchObject({ status: 'waiting', due_at: tell_at });
  expect(await remind({ channels: [], after_hours: 0 })).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '/channels' }, { pointer: '/after_hours' }] },
  });
});
