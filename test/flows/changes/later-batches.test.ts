import { expect, test } from 'vitest';
import { storesOn } from '../../../src/app/stores.ts';
import { fanOut } from '../../../src/notifications/fan-out/fan-out.ts';
import { aContact, anEvent, aRegistration, SCOPE } from '../../support/builders.ts';
import { emptyDatabase } from '../../support/database.ts';
import { aFact, fanOutParts } from '../../support/message-builders.ts';

const database = await emptyDatabase();
const stores = storesOn(database);
const deps = {
  ...stores,
  ...fanOutParts,
  openChannels: new Set(['email', 'in_app'] as const),
};
/** By batch. */
const CHILDREN = [['ida'], ['jan', 'ota'], ['eda']];

test('children of later batches than their guardian’s message are named in messages of their own', async () => {
  const children = CHILDREN.flat().map((id) => aContact(id, { roles: ['student'], guardians: ['eva'], email: null }));
  const email = 'eva@people.example';
  const adults = ['eva', 'petr'].map((id) => aContact(id, { roles: ['parent'], email }));
  await stores.contacts.putMany([...adults, ...children]);
  const event = anEvent({ status: 'cancelled', registration_type: 'required' });
  const fact = aFact('event.cancelled');
  await stores.transact(async (tx) => {
    await stores.events.insert([event], tx);
    await stores.facts.record([fact], tx);
  });
  const [recorded] = await stores.facts.listOfEvent(SCOPE, event.id, { types: ['event.cancelled'], limit: 1 });
  const register = (user_id: string) => {
    const by = { id: `of ${user_id}`, event_id: event.id, user_id, registered_by: 'eva' };
    return stores.transact((tx) => stores.registrations.insertMany([aRegistration(by)], tx));
  };
  const batches = [...CHILDREN, ['petr']];
  for (const batch of batches) {
    for (const user_id of batch) await register(user_id);
    // A repeated fan-out finds the rows of the one before, as a later batch does.
    await fanOut(deps, recorded?.id ?? '');
    await database.collection('deliveries').updateMany({ status: 'waiting' }, { $set: { status: 'sent' } });
  }
  const sentRows = async (channel: string) =>
    (await stores.deliveries.listOfEvent(SCOPE, event.id, { statuses: ['sent'], limit: 99 }))
      .filter((row) => row.channel === channel)
      .map((row) => [row.user_id, row.registration_ids]);
  const ofEva = CHILDREN.map((batch) => ['eva', batch.map((id) => `of ${id}`)]);
  const emails = await sentRows('email');
  expect(emails).toHaveLength(batches.length);
  expect(emails).toEqual(expect.arrayContaining([...ofEva, ['petr', ['of petr']]]));
  const own = batches.flat().map((id) => [id, [`of ${id}`]]);
  const entries = await sentRows('in_app');
  expect(entries).toHaveLength(CHILDREN.length + own.length);
  expect(entries).toEqual(expect.arrayContaining([...ofEva, ...own]));
  const rows = await database.collection('deliveries').countDocuments();
  await fanOut(deps, recorded?.id ?? '');
  expect(await database.collection('deliveries').countDocuments()).toBe(rows);
});
