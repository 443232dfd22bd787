import { expect, test } from 'vitest';
import { deliveryStore } from '../../../src/mongo/notifications/delivery-store.ts';
import { SCOPE } from '../../support/builders.ts';
import { provideDatabase } from '../../support/database.ts';
import { aDelivery } from '../../support/message-builders.ts';

const database = await provideDatabase();

const inQuarantine = (id: string) =>
  aDelivery({
    id,
    status: 'quarantined',
    reason: 'crashed',
    crashes: 3,
    errors: 2,
    attempts: 4,
    repeated: true,
  });

test('a delivery leaves quarantine once and with its counters reset', async () => {
  const store = deliveryStore(database);
  await store.insertMany(['a', 'b', 'c'].map(inQuarantine));
  expect((await store.listQuarantined(SCOPE, { limit: 2 })).map(({ id }) => id)).toEqual(['a', 'b']);
  expect((await store.listQuarantined(SCOPE, { after: 'b', limit: 2 })).map(({ id }) => id)).toEqual(['c']);
  expect(await store.listQuarantined({ ...SCOPE, school_id: 's2' }, { limit: 2 })).toEqual([]);

  const other = { ...SCOPE, tenant_id: 't2' };
  expect(await database.transact((tx) => store.redrive(other, 'a', tx))).toBeNull();
  const redriven = await database.transact((tx) => store.redrive(SCOPE, 'a', tx));
  expect(redriven).toMatchObject({
    status: 'waiting',
    reason: null,
    crashes: 0,
    errors: 0,
    attempts: 0,
    repeated: false,
  });
  expect(redriven?.redriven_at).toBeInstanceOf(Date);
  expect(await database.transact((tx) => store.redrive(SCOPE, 'a', tx))).toBeNull();

  const discarded = await database.transact((tx) => store.discard(SCOPE, 'b', tx));
  expect(discarded).toMatchObject({ status: 'failed', reason: 'discarded' });
  expect(await store.takeForQueue('email', redriven?.urgent ?? false, 't1', 10)).toEqual(['a']);
});
