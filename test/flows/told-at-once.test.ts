import { afterAll, beforeAll, expect, test } from 'vitest';
import { contactStore } from '../../src/stores/contact-store.ts';
import { preferenceStore } from '../../src/stores/preference-store.ts';
import { registrationStore } from '../../src/stores/registration-store.ts';
import { tellingStore } from '../../src/stores/telling-store.ts';
import { contactOf, draft, eventually, SCHOOL, startWorld, type World } from '../support/world.ts';

const E = '/api/v1/operations/events';
/** More than are worth the way over the queue. */
const PEOPLE = 120;
const SILENT = contactOf(7).user_id;

let world: World;
beforeAll(async () => {
  world = await startWorld({ start: ['api', 'relay', 'fan-out'] });
  await contactStore(world.database).putMany(
    Array.from({ length: PEOPLE }, (_, n) => contactOf(n, n === 11 ? { name: 'Ada' } : {})),
  );
  await preferenceStore(world.database).addOptOut(SCHOOL, SILENT, 'event.published:in_app');
}, 180_000);
afterAll(() => world?.end());

const inboxOf = (event_id: string, trigger: string) =>
  world.database
    .collection('inbox')
    .find({ event_id, trigger } as never)
    .toArray();

async function published(more: Record<string, unknown> = {}): Promise<string> {
  const { body } = await world.call('POST', E, draft(more));
  expect((await world.call('POST', `${E}/${body.id}/publish`)).status).toBe(200);
  return String(body.id);
}

const inAppRows = (event_id: string, trigger: string) => world.deliveries({ event_id, trigger, channel: 'in_app' });

test('an announcement is in all inboxes with its rows, without a worker for them', async () => {
  const id = await published();
  await eventually('the rows', async () => (await inAppRows(id, 'event.published')).length === PEOPLE);
  const rows = await inAppRows(id, 'event.published');
  const entries = await inboxOf(id, 'event.published');
  expect(entries).toHaveLength(PEOPLE - 1);
  const [silent, ...others] = rows.sort((a) => (a.user_id === SILENT ? -1 : 1));
  expect(silent).toMatchObject({ user_id: SILENT, status: 'skipped', reason: 'opted_out' });
  const entryIds = new Set(entries.map((entry) => String(entry._id)));
  for (const row of others) {
    expect(row).toMatchObject({ status: 'sent', attempts: 1, template_version: expect.any(String) });
    expect(row.settled_at).toBeInstanceOf(Date);
    expect(row).not.toHaveProperty('queued_at');
    expect(entryIds).toContain(row._id);
  }
  await eventually('nothing is being told', async () => {
    return (await world.database.collection('tellings').countDocuments()) === 0;
  });
}, 180_000);

test('a later word waits while an earlier one is being told, and comes after it', async () => {
  const id = await published({ registration_type: 'optional' });
  await eventually('the rows', async () => (await inAppRows(id, 'event.published')).length === PEOPLE);
  const { user_id } = contactOf(3);
  const student = await world.token({ ...SCHOOL, user_id, roles: ['student'], permissions: ['events.view'] });
  const { status } = await world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee' }, { as: student });
  expect(status).toBe(201);
  expect(await registrationStore(world.database).pageAfter(SCHOOL as never, id, ['confirmed'], null, 2)).toHaveLength(
    1,
  );
  const tellings = tellingStore(world.database);
  expect(await tellings.begin({ fact_id: 'another', event_id: id }, 'me', 600_000)).toBe(true);
  await world.start('in-app');
  expect((await world.call('POST', `${E}/${id}/cancel`, { reason: 'Storm' })).status).toBe(200);
  await eventually('it was held back', async () => {
    const [row] = await inAppRows(id, 'event.cancelled');
    return row?.detail === 'an older message is on the wire';
  });
  expect(await inboxOf(id, 'event.cancelled')).toHaveLength(0);
  await tellings.end('another', 'me');
  await eventually('it is told', async () => (await inboxOf(id, 'event.cancelled')).length === 1);
}, 180_000);

test('one fact is told by one process at a time, and another may go on where it died', async () => {
  const tellings = tellingStore(world.database);
  const of = { fact_id: 'fact', event_id: 'event' };
  expect(await tellings.begin(of, 'first', 600_000)).toBe(true);
  expect(await tellings.begin(of, 'second', 600_000)).toBe(false);
  expect(await tellings.isGoingOn('event', 'fact')).toBe(false);
  expect(await tellings.isGoingOn('event', 'other')).toBe(true);
  await tellings.end('fact', 'second');
  expect(await tellings.isGoingOn('event', 'other')).toBe(true);
  await tellings.end('fact', 'first');
  expect(await tellings.isGoingOn('event', 'other')).toBe(false);

  expect(await tellings.begin(of, 'died', -1)).toBe(true);
  expect(await tellings.isGoingOn('event', 'other')).toBe(false);
  expect(await tellings.begin(of, 'next', 600_000)).toBe(false);
  await tellings.end('fact', 'next');
  expect(await tellings.begin(of, 'after', 600_000)).toBe(true);
});
