import { beforeEach, expect, test, vi } from 'vitest';
import { storesOn } from '../../src/app/stores.ts';
import type { Tx } from '../../src/core/transaction.ts';
import { SCOPE } from '../support/builders.ts';
import { provideDatabase } from '../support/database.ts';
import { aDelivery, aFact } from '../support/message-builders.ts';

const database = await provideDatabase();
const stores = storesOn(database);
const woken = vi.fn();
database.work.subscribe(woken);
beforeEach(() => woken.mockClear());

const heldChange = { ...SCOPE, id: 'held', events: [], facts: [], state: 'held', release_at: new Date() } as never;

test.each([
  ['a fact', (tx: Tx) => stores.facts.record([aFact('event.edited')], tx)],
  ['a held change', (tx: Tx) => stores.heldChanges.insert(heldChange, tx)],
])('%s wakes the loops after its commit', async (_, write) => {
  await stores.transact(async (tx) => {
    await write(tx);
    expect(woken).not.toHaveBeenCalled();
  });
  expect(woken).toHaveBeenCalled();
});

test('a change that fails wakes no one', async () => {
  const change = stores.transact(async (tx) => {
    await stores.facts.record([aFact('event.edited', {}, { id: 'fact-2' })], tx);
    throw new Error('no');
  });
  await expect(change).rejects.toThrow('no');
  expect(woken).not.toHaveBeenCalled();
});

test('a message that its provider could not deliver, and that waits for another channel now, wakes the loops', async () => {
  const sent = aDelivery({ id: 'd', channel: 'sms', status: 'sent', fence: 1, claim: null });
  await stores.deliveries.insertMany([{ ...sent, fallback: 'email' }]);
  const report = { arrived: false, fence: 1, provider_id: 'SM1', reason: 'no_account', detail: '30003' } as const;
  expect(await stores.deliveries.recordProviderReport('d', report)).toBe(true);
  expect(await stores.deliveries.find('d')).toMatchObject({ status: 'waiting', channel: 'email' });
  expect(woken).toHaveBeenCalled();
});

test('a message of a webhook that is sent again wakes the loops', async () => {
  await stores.webhookAttempts.replay(SCOPE, 'webhook-1', 'attempt-1', new Date());
  expect(woken).toHaveBeenCalled();
});
