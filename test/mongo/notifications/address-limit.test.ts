import { expect, test } from 'vitest';
import { addressLimitStore } from '../../../src/mongo/notifications/daily-limit-stores.ts';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import { limitGivenAddresses } from '../../../src/notifications/fan-out/fan-out.ts';
import { provideDatabase } from '../../support/database.ts';
import { aDelivery } from '../../support/message-builders.ts';
import { withMovedClock } from '../../support/moved-clock.ts';

const NOW = new Date('2026-09-01T08:00:00Z');
const database = await provideDatabase();

const given = (id: string, more: Partial<Delivery> = {}) =>
  aDelivery({ id, status: 'waiting', channel: 'email', address: 'victim@home.example', given_by: 'mallory', ...more });
const skipped = (rows: readonly Delivery[]) =>
  rows.filter(({ reason }) => reason === 'address_limit').map(({ id }) => id);

test('many processes together allow five messages a day for each address and person who gave it', async () => {
  const stores = Array.from({ length: 10 }, () => addressLimitStore(database));
  const batches = await Promise.all(
    stores.map((store, n) => limitGivenAddresses(store, [given(`a${n}`), given(`b${n}`)], NOW)),
  );
  expect(batches.flat().filter(({ status }) => status === 'waiting')).toHaveLength(5);
  expect(skipped(batches.flat())).toHaveLength(15);

  const others = [
    given('c', { given_by: 'somebody' }),
    given('d', { address: 'other@home.example' }),
    given('e', { tenant_id: 'elsewhere' }),
    given('f', { given_by: null }),
    given('g', { address: 'Victim@home.example' }),
    given('h', { status: 'skipped', reason: 'notifications_off' }),
  ];
  expect(skipped(await limitGivenAddresses(addressLimitStore(database), others, NOW))).toEqual(['g']);
});

test('the address of the organizer gets every answer to text messages', async () => {
  const answers = [1, 2, 3, 4, 5, 6].map((n) =>
    given(`answer-${n}`, { trigger: 'message.answered', given_by: 'anna' }),
  );
  expect(skipped(await limitGivenAddresses(addressLimitStore(database), answers, NOW))).toEqual([]);
});

test('a batch that is drafted again counts once, and the limit ends after a day', async () => {
  const clock = { at: Date.now() };
  const moved = withMovedClock(database, { now: () => new Date(clock.at) });
  const store = addressLimitStore(moved);
  const batch = (...numbers: number[]) => numbers.map((n) => given(`again-${n}`, { given_by: 'eve' }));
  const limited = async (rows: Delivery[]) => skipped(await limitGivenAddresses(store, rows, NOW));
  for (let times = 0; times < 3; times += 1) expect(await limited(batch(1, 2, 3))).toEqual([]);
  expect(await limited(batch(4, 5, 6))).toEqual(['again-6']);
  clock.at += 86_400_000 + 1;
  expect(await limited(batch(6))).toEqual([]);
});

test('a preview counts on from batch to batch after the messages of the last day, and stores nothing', async () => {
  const store = addressLimitStore(database);
  const preview = store.preview();
  const batch = (n: number) => ['gina', 'hugo'].map((who) => given(`${who}-${n}`, { given_by: who }));
  await store.take([given('before', { given_by: 'hugo' })], 2);
  const within = async (n: number) => {
    const ids = await preview.take(batch(n), 2);
    return batch(n).flatMap(({ id }) => (ids.has(id) ? id : []));
  };
  expect([await within(1), await within(2), await within(3)]).toEqual([['gina-1', 'hugo-1'], ['gina-2'], []]);
  expect([...(await store.take(batch(4), 2))].sort()).toEqual(['before', 'gina-4', 'hugo-4']);
});
