import { expect, test } from 'vitest';
import { storesOn } from '../../../src/app/stores.ts';
import { fanOut } from '../../../src/notifications/fan-out/fan-out.ts';
import { aContact, anEvent, aRegistration, NOW, SCOPE } from '../../support/builders.ts';
import { emptyDatabase } from '../../support/database.ts';
import { aFact, fanOutParts } from '../../support/message-builders.ts';

const database = await emptyDatabase();
const stores = storesOn(database);
const deps = {
  ...stores,
  ...fanOutParts,
  deliveryQueue: { add: async () => {}, depth: async () => ({ urgent: 0, bulk: 0, later: 0 }) },
  openChannels: new Set(['email'] as const),
};
const CHILDREN = ['ida', 'jan', 'ota'];

test('each child of a later batch than its guardian’s message has a row that says why', async () => {
  const children = CHILDREN.map((id) => aContact(id, { roles: ['student'], guardians: ['eva'], email: null }));
  await stores.contacts.putMany(
    [aContact('eva', { roles: ['parent'], email: 'eva@people.example' }), ...children].map((one) => ({
      ...one,
      ...SCOPE,
    })),
  );
  const event = anEvent({ ...SCOPE, status: 'cancelled', registration_type: 'required' });
  const fact = aFact('event.cancelled', {}, { ...SCOPE, event_id: event.id, occurred_at: NOW });
  await stores.transact(async (tx) => {
    await stores.events.insert([event], tx);
    await stores.facts.record([fact], tx);
  });
  const [recorded] = await stores.facts.listOfEvent(SCOPE, event.id, { types: ['event.cancelled'], limit: 1 });
  const register = (user_id: string) =>
    stores.transact((tx) =>
      stores.registrations.insertMany(
        [aRegistration({ ...SCOPE, id: `of ${user_id}`, event_id: event.id, user_id })],
        tx,
      ),
    );
  for (const user_id of CHILDREN) {
    await register(user_id);
    // A repeated fan-out finds the rows of the one before, as a later batch does.
    await fanOut(deps, recorded?.id ?? '');
    await database.collection('deliveries').updateMany({ status: 'waiting' }, { $set: { status: 'sent' } });
  }
  const rowsOf = (user_id: string) => stores.deliveries.listOfEvent(SCOPE, event.id, { user_id, limit: 9 });
  expect((await rowsOf('ida')).map(({ status }) => status)).toContain('sent');
  for (const user_id of ['jan', 'ota'])
    expect((await rowsOf(user_id)).map(({ status, reason }) => [status, reason])).toContainEqual([
      'skipped',
      'same_address',
    ]);
  const rows = await rowsOf('eva');
  expect(rows.filter(({ status }) => status === 'sent')).toHaveLength(1);
  await fanOut(deps, recorded?.id ?? '');
  expect(await rowsOf('eva')).toHaveLength(rows.length);
});
