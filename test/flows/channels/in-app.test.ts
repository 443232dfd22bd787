import { expect, test } from 'vitest';
import { preferenceStore } from '../../../src/mongo/people/people-stores.ts';
import { contactOf, contactsOf, E, eventually, openSchool, publishEvent, putPeople } from '../../support/world.ts';

const PEOPLE = 20;
/** How often the shared product looks for work that it has not heard of. */
const SWEEP_MS = 20_000;
const SILENT = contactOf(7).user_id;

const world = await openSchool();
const people = contactsOf(PEOPLE, { email: null });
await putPeople(world, people);
await preferenceStore(world.database).addOptOut(world.scope, SILENT, 'event.published:in_app');

const inAppRows = (event_id: string, trigger: string) => world.deliveries({ event_id, trigger, channel: 'in_app' });
const post = async (path: string, body?: object) => {
  const answer = await world.call('POST', `${E}/${path}`, body as never);
  expect(answer.status).toBeLessThan(300);
  return answer.body;
};
const whenSent = (id: string, trigger: string, count: number) =>
  eventually(`${count} rows`, async () => {
    const rows = await inAppRows(id, trigger);
    return rows.length === count && rows.every(({ status }) => status !== 'waiting');
  });

async function published(): Promise<string> {
  const id = await publishEvent(world);
  await whenSent(id, 'event.published', PEOPLE);
  return id;
}

/** The triggers of the entries of person 0 about an event, each with whether it is superseded. */
async function entriesAbout(event_id: string): Promise<[string, boolean][]> {
  const { user_id, roles } = contactOf(0);
  const as = await world.token({ ...world.scope, user_id, roles });
  const { body } = await world.call('GET', '/api/v1/me/inbox?limit=100', undefined, { as });
  const data = body.data as unknown as { event_id: string; trigger: string; superseded: boolean }[];
  return data.filter((one) => one.event_id === event_id).map(({ trigger, superseded }) => [trigger, superseded]);
}

test('an announcement is stored once per person, as sent and with its text', async () => {
  const id = await published();
  const [silent, ...others] = (await inAppRows(id, 'event.published')).sort((a) => (a.user_id === SILENT ? -1 : 1));
  expect(silent).toMatchObject({ user_id: SILENT, status: 'skipped', reason: 'opted_out' });
  expect(silent).not.toHaveProperty('title');
  const now = Math.floor(Date.now() / 1_000);
  for (const row of others) {
    expect(row).toMatchObject({ status: 'sent', attempts: 1, title: expect.stringContaining('Autumn concert') });
    expect(row).not.toHaveProperty('queued_at');
    expect(row).not.toHaveProperty('claim');
    const { arrived } = row as unknown as { arrived: { getHighBits(): number } };
    expect(Math.abs(arrived.getHighBits() - now)).toBeLessThan(60);
  }
  expect(await entriesAbout(id)).toEqual([['event.published', false]]);
});

test('publishing an event again with the same date and place notifies no one twice, and its announcement holds', async () => {
  const id = await published();
  await post(`${id}/unpublish`);
  expect(await entriesAbout(id)).toEqual([]);
  await post(`${id}/publish`);
  await whenSent(id, 'event.published', 2 * PEOPLE);
  const again = (await inAppRows(id, 'event.published')).filter(({ reason }) => reason === 'told_before');
  expect(again).toHaveLength(PEOPLE - 1);
  expect(await entriesAbout(id)).toEqual([['event.published', false]]);
});

test('publishing an event again with another date notifies everyone, and the first announcement is out of date', async () => {
  const id = await published();
  await post(`${id}/postpone`, { new_start_date: '2027-12-12', reason: 'Storm', notify: false });
  expect(await entriesAbout(id)).toContainEqual(['event.published', true]);
  await post(`${id}/publish`);
  await whenSent(id, 'event.published', 2 * PEOPLE);
  const announcements = (await entriesAbout(id)).filter(([trigger]) => trigger === 'event.published');
  expect(announcements).toEqual([
    ['event.published', false],
    ['event.published', true],
  ]);
});

test('publishing an event on its old date notifies people again who believe that the date is unknown', async () => {
  const id = await published();
  await post(`${id}/postpone`, { new_start_date: null, reason: 'Storm' });
  await whenSent(id, 'event.postponed', PEOPLE - 1);
  await post(`${id}/publish`);
  await whenSent(id, 'event.published', 2 * PEOPLE);
  expect(await entriesAbout(id)).toEqual([
    ['event.published', false],
    ['event.postponed', true],
    ['event.published', false],
  ]);
});

test('a cancellation reaches everyone who was notified, and outdates the announcement', async () => {
  const id = await published();
  await post(`${id}/cancel`, { reason: 'Storm' });
  await whenSent(id, 'event.cancelled', PEOPLE - 1);
  expect(await entriesAbout(id)).toEqual([
    ['event.cancelled', false],
    ['event.published', true],
  ]);
});

test('a message that staff retry is sent without waiting for the sweep', async () => {
  const id = await published();
  const [row] = (await inAppRows(id, 'event.published')).filter(({ status }) => status === 'sent');
  const quarantined = { $set: { status: 'quarantined' }, $unset: { title: 1, body: 1, settled_at: 1 } };
  await world.database.collection('deliveries').updateOne({ _id: row?._id as never }, quarantined as never);
  expect((await world.call('POST', `/api/v1/operations/quarantine/${row?._id}/redrive`)).status).toBe(200);
  const isSent = async () => (await world.deliveries({ _id: row?._id, status: 'sent' })).length === 1;
  await eventually('it is sent again', isSent, SWEEP_MS / 3);
});

test('a waiting message is sent when it is due', async () => {
  const id = await published();
  const [row] = (await inAppRows(id, 'event.published')).filter(({ status }) => status === 'sent');
  const waiting = { $set: { status: 'waiting', due_at: new Date() }, $unset: { title: 1, body: 1, settled_at: 1 } };
  await world.database.collection('deliveries').updateOne({ _id: row?._id as never }, waiting as never);
  await eventually('it is sent again', async () => {
    const [again] = await world.deliveries({ _id: row?._id });
    return again?.status === 'sent' && again.title === row?.title && again.attempts === 2;
  });
});
