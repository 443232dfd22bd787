import { beforeEach, expect, test } from 'vitest';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import { CHANNELS } from '../../../src/people/channels.ts';
import { aContact } from '../../support/builders.ts';
import { E, EVERYTHING, PARENT, provideHttp, STAFF, serveAnew, valuesOf } from '../../support/http/http-app.ts';
import { aDelivery, aFact } from '../../support/message-builders.ts';

const served = await provideHttp();
let id: string;
beforeEach(async () => {
  id = (await served.given({ target_audience: ['students'] })).id;
  const { tables } = served;
  await tables.contacts.put(aContact('anna', { guardians: ['eva'] }), aContact('eva', { roles: ['parent'] }));
  await tables.facts.put(aFact('event.published', {}, { id: 'fact-1', event_id: id }));
  await tables.facts.put(
    aFact('event.cancelled', {}, { id: 'fact-2', event_id: id, occurred_at: new Date('2026-09-02T08:00:00Z') }),
  );
  const own = { event_id: id, fact_id: 'fact-1', user_id: 'anna', name: 'Anna' };
  await tables.deliveries.put(
    aDelivery({ ...own, id: 'a', channel: 'in_app', status: 'sent', settled_at: new Date('2026-09-01T08:00:01Z') }),
  );
});

const why = async (user_id: string, headers = {}) =>
  (await served.ask(STAFF, 'GET', `${E}/${id}/deliveries?user_id=${user_id}`, { headers })).body.why;

type Line = { channel: string; reason: string | null };
type Answer = { trigger: string; channel: string; text: string };

/** The text for the announcement by e-mail. */
const mailed = async (user_id: string) =>
  (await why(user_id)).find(({ trigger, channel }: Answer) => trigger === 'event.published' && channel === 'email')
    .text;

test('explains each decision and each missing message, newest first', async () => {
  const none = { event_id: id, delivery_id: null, retryable: false };
  const cancelled = {
    ...none,
    trigger: 'event.cancelled',
    at: '2026-09-02T08:00:00.000Z',
    reason: 'never_registered',
    text: 'not notified: only registered people get this message',
  };
  const published = { ...none, trigger: 'event.published', at: '2026-09-01T08:00:00.000Z' };
  const undecided = expect.stringMatching(/^no record yet/);
  expect(await why('anna')).toEqual([
    ...['email', 'sms', 'push', 'in_app'].map((channel) => ({ ...cancelled, channel })),
    { ...published, delivery_id: 'a', channel: 'in_app', at: '2026-09-01T08:00:01.000Z', reason: null, text: 'sent' },
    { ...published, channel: 'email', reason: 'not_decided', text: undecided },
    { ...published, channel: 'push', reason: 'not_decided', text: undecided },
  ]);
  expect(await mailed('eva')).toBe('not notified: meant for other roles');
  expect(await mailed('nobody')).toBe('not notified: not in the directory');
});

test('says that messages were removed after their retention period, and nothing about who got them', async () => {
  await served.stores.old.removeDeliveries(id, new Date());
  const removed = 'no record any more: messages are deleted some time after the event';
  expect(await Promise.all(['anna', 'eva', 'nobody'].map(mailed))).toEqual([removed, removed, removed]);
});

test('says that an event was unpublished before its announcement was prepared', async () => {
  const occurred_at = new Date('2026-09-03T08:00:00Z');
  await served.tables.facts.put(aFact('event.published', {}, { id: 'fact-3', event_id: id, occurred_at }));
  expect((await served.ask(EVERYTHING, 'POST', `${E}/${id}/unpublish`)).status).toBe(200);
  const textsOn = async (day: string, user_id: string) =>
    (await why(user_id)).flatMap(({ at, text }: { at: string; text: string }) => (at.startsWith(day) ? text : []));
  const unpublished = 'not notified: the event was unpublished before the message was prepared';
  expect(new Set(await textsOn('2026-09-03', 'anna'))).toEqual(new Set([unpublished]));
  expect(await textsOn('2026-09-03', 'eva')).toContain('not notified: meant for other roles');
  // The first announcement has a message, so it was prepared.
  expect(await textsOn('2026-09-01', 'anna')).not.toContain(unpublished);
});

test('explains the messages of before the school turned them off, and no others', async () => {
  const school = { name: 'School', timezone: 'UTC', locale: 'en', channels: { 'event.published': [] } };
  expect((await served.ask(EVERYTHING, 'PUT', '/api/v1/operations/school', { payload: school })).status).toBe(200);
  const announced = async (user_id: string) =>
    (await why(user_id)).filter(({ trigger }: Answer) => trigger === 'event.published');
  expect((await announced('anna')).find(({ channel }: Answer) => channel === 'in_app').text).toBe('sent');
  expect((await announced('anna')).map(({ reason }: { reason: string }) => reason)).not.toContain('no_channel');
  expect(await announced('eva')).toMatchObject([{ channel: null, reason: 'no_channel' }]);
});

test('answers in Czech on request', async () => {
  const answers = await why('anna', { 'accept-language': 'cs-CZ,cs;q=0.9' });
  expect(answers.map(({ text }: Answer) => text)).toContain('odesláno');
  expect(answers.at(-1).text).toMatch(/^zatím bez záznamu/);
});

test('counts messages and people, and lists messages of one status and people by outcome and name', async () => {
  const { tables } = served;
  const other = { event_id: id, fact_id: 'fact-1', user_id: 'eva', channel: 'email' as const };
  await tables.deliveries.put(aDelivery({ ...other, id: 'b', status: 'skipped', reason: 'no_contact' }));
  await tables.deliveries.put(aDelivery({ ...other, id: 'c', event_id: 'another', status: 'sent' }));
  const published = { trigger: 'event.published', count: 1 };
  const summary = (await served.ask(STAFF, 'GET', `${E}/${id}/deliveries/summary`)).body;
  expect(new Set(summary.data)).toEqual(
    new Set([
      { ...published, channel: 'in_app', status: 'sent', reason: null },
      { ...published, channel: 'email', status: 'skipped', reason: 'no_contact' },
    ]),
  );
  const people = `${E}/${id}/deliveries/people`;
  const { counts } = (await served.ask(STAFF, 'GET', people)).body;
  expect(counts).toEqual([{ trigger: 'event.published', reached: 1, waiting: 0, missed: 1 }]);
  const missed = (await served.ask(STAFF, 'GET', `${people}?outcome=missed`)).body.data;
  expect(missed).toMatchObject([{ user_id: 'eva', outcome: 'missed', reasons: ['no_contact'] }]);
  const found = (await served.ask(STAFF, 'GET', `${people}?name=ANN`)).body.data;
  expect(found).toMatchObject([{ user_id: 'anna', outcome: 'reached', reasons: [] }]);
  expect((await served.ask(PARENT, 'GET', people)).status).toBe(403);
  const untold = await served.ask(STAFF, 'GET', `${E}/${id}/deliveries?status=skipped&status=failed`);
  expect(valuesOf(untold, 'id')).toEqual(['b']);
  expect((await served.ask(PARENT, 'GET', `${E}/${id}/deliveries/summary`)).status).toBe(403);
});

test('counts a person with the address of another as waiting until the message to both is sent', async () => {
  const { tables } = served;
  const message = { event_id: id, fact_id: 'fact-1', trigger: 'reminder.due', channel: 'email' } as const;
  const petr = { user_id: 'petr', name: 'Petr', on_behalf_of: [] };
  await tables.deliveries.put(aDelivery({ ...message, id: 'd', user_id: 'eva', status: 'waiting', also: [petr] }));
  await tables.deliveries.put(aDelivery({ ...message, ...petr, id: 'e', status: 'skipped', reason: 'same_address' }));
  const { counts, data } = (await served.ask(STAFF, 'GET', `${E}/${id}/deliveries/people`)).body;
  expect(counts).toContainEqual({ trigger: 'reminder.due', reached: 0, waiting: 2, missed: 0 });
  expect(data).toContainEqual(expect.objectContaining({ user_id: 'petr', name: 'Petr', outcome: 'waiting' }));
});

test('counts a person whom the second of two messages missed as missed', async () => {
  const { tables } = served;
  const message = { event_id: id, trigger: 'message', user_id: 'eva', name: 'Eva' } as const;
  await tables.deliveries.put(
    aDelivery({ ...message, id: 'f', fact_id: 'fact-3', channel: 'email', status: 'sent' }),
    aDelivery({ ...message, id: 'g', fact_id: 'fact-4', channel: 'sms', status: 'skipped', reason: 'no_contact' }),
  );
  const { counts, data } = (await served.ask(STAFF, 'GET', `${E}/${id}/deliveries/people`)).body;
  expect(counts).toContainEqual({ trigger: 'message', reached: 0, waiting: 0, missed: 1 });
  expect(data).toContainEqual(expect.objectContaining({ name: 'Eva', outcome: 'missed', reasons: ['no_contact'] }));
});

test('says of WhatsApp and SMS that only one of them is used', async () => {
  const { tables, given, ask } = await serveAnew({}, { openChannels: new Set(CHANNELS) });
  const { id: event_id } = await given();
  const channels = { 'event.published': ['whatsapp', 'sms'] };
  const school = { name: 'School', timezone: 'UTC', locale: 'en', channels };
  expect((await ask(EVERYTHING, 'PUT', '/api/v1/operations/school', { payload: school })).status).toBe(200);
  await tables.facts.put(aFact('event.published', {}, { id: 'fact-1', event_id }));
  const sent = { event_id, fact_id: 'fact-1', user_id: 'anna', status: 'sent' } as const;
  await tables.deliveries.put(aDelivery({ ...sent, id: 'a', channel: 'sms' }));
  const { body } = await ask(STAFF, 'GET', `${E}/${event_id}/deliveries?user_id=anna`);
  expect(body.why.map(({ channel, reason }: Line) => `${channel} ${reason}`)).toEqual(
    expect.arrayContaining(['sms null', 'whatsapp stand_in', 'email other_channel']),
  );
});

test('says of a waiting message that it will not be sent, because its event was cancelled', async () => {
  const waiting = { event_id: id, fact_id: 'fact-1', user_id: 'anna', channel: 'email', status: 'waiting' } as const;
  await served.tables.deliveries.put(aDelivery({ ...waiting, id: 'b' }));
  expect(await mailed('anna')).toMatch(/^waiting to be sent: /);
  const cancelled = await served.ask(EVERYTHING, 'POST', `${E}/${id}/cancel`, { payload: { reason: 'Storm' } });
  expect(cancelled.status).toBe(200);
  expect(await mailed('anna')).toBe('will not be sent: the status of the event changed before sending');
});

test('counts a waiting message as not sent once its event was cancelled, but none about several dates', async () => {
  const waiting = { event_id: id, fact_id: 'fact-1', channel: 'email', status: 'waiting' } as const;
  await served.tables.deliveries.put(
    aDelivery({ ...waiting, id: 'b', user_id: 'eva' }),
    aDelivery({ ...waiting, id: 'c', user_id: 'tom', other_sequences: { other: 0 } }),
  );
  const counted = async () => {
    const { counts } = (await served.ask(STAFF, 'GET', `${E}/${id}/deliveries/people`)).body;
    const { data } = (await served.ask(STAFF, 'GET', `${E}/${id}/deliveries/summary`)).body;
    const mails = data.filter(({ channel }: Line) => channel === 'email');
    const summary = mails.map((row: Line & { status: string; count: number }) => [row.status, row.reason, row.count]);
    return [counts[0], summary.sort()];
  };
  const trigger = 'event.published';
  expect(await counted()).toEqual([{ trigger, reached: 1, waiting: 2, missed: 0 }, [['waiting', null, 2]]]);
  await served.ask(EVERYTHING, 'POST', `${E}/${id}/cancel`, { payload: { reason: 'Storm' } });
  const stopped = ['skipped', 'event_state', 1];
  const still = ['waiting', null, 1];
  expect(await counted()).toEqual([{ trigger, reached: 1, waiting: 1, missed: 1 }, [stopped, still]]);
});

test('says of a message about several dates that it waits, although one of them was cancelled', async () => {
  const waiting = { event_id: id, fact_id: 'fact-1', user_id: 'anna', channel: 'email', status: 'waiting' } as const;
  await served.tables.deliveries.put(aDelivery({ ...waiting, id: 'b', other_sequences: { other: 0 } }));
  await served.ask(EVERYTHING, 'POST', `${E}/${id}/cancel`, { payload: { reason: 'Storm' } });
  expect(await mailed('anna')).toMatch(/^waiting to be sent: /);
});

test('says which messages can be sent again: failed ones that are still true and in time', async () => {
  const mail = { event_id: id, fact_id: 'fact-1', user_id: 'anna', channel: 'email', status: 'failed' } as const;
  const given = (one: string, more: Partial<Delivery>) => aDelivery({ ...mail, id: one, expires_at: null, ...more });
  await served.tables.deliveries.put(
    given('gone', { reason: 'gone' }),
    given('late', { reason: 'bad_address', expires_at: new Date('2020-01-01T00:00:00Z') }),
    given('suppressed', { status: 'skipped', reason: 'suppressed' }),
    given('wrong', { reason: 'bad_address' }),
  );
  const retryable = async () => {
    const found = (await why('anna')).filter((one: { retryable: boolean }) => one.retryable);
    return found.map(({ delivery_id }: { delivery_id: string }) => delivery_id).sort();
  };
  expect(await retryable()).toEqual(['suppressed', 'wrong']);
  await served.ask(EVERYTHING, 'POST', `${E}/${id}/cancel`, { payload: { reason: 'Storm' } });
  expect(await retryable()).toEqual([]);
});
