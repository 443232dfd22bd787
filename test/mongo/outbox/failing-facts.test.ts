import { expect, test } from 'vitest';
import { storesOn } from '../../../src/app/stores.ts';
import { relayFacts, reopenLostFacts } from '../../../src/outbox/relay.ts';
import { anEvent } from '../../support/builders.ts';
import { emptyDatabase } from '../../support/database.ts';

const database = await emptyDatabase();
const { facts, transact } = storesOn(database);
const { school_id, id: event_id } = anEvent();

const record = async (tenant_id: string, count: number) => {
  const head = { tenant_id, school_id, event_id, occurred_at: new Date(), actor: { user_id: 'staff' } } as const;
  const one = { ...head, type: 'event.cancelled', data: { sequence: 1, reason: 'Flu', notify: null } } as const;
  return (await transact((tx) => facts.record(Array(count).fill(one), tx))).map(({ id }) => id);
};

test('facts that fail each time are tried again, and hold up no other fact of their tenant', async () => {
  // More than the queue takes at a time.
  const failing = await record('a', 250);
  let queued: string[] = [];
  const factQueue = {
    publish: async (some: readonly { id: string }[]) => void queued.push(...some.map(({ id }) => id)),
    publishParts: async () => {},
    countWaiting: async () => queued.length,
    isIdle: async () => queued.length === 0,
  };
  /** One round of the relay, after which the fan-out has tried every fact on the queue. */
  const tried = async (): Promise<string[]> => {
    await reopenLostFacts({ facts, factQueue });
    await relayFacts({ facts, factQueue });
    const ids = queued;
    queued = [];
    for (const id of ids) if (!failing.includes(id)) await facts.markProcessed(id);
    return ids;
  };
  const before = [...(await tried()), ...(await tried()), ...(await tried())];
  expect(new Set(before)).toEqual(new Set(failing));

  const [other] = await record('a', 1);
  expect(await tried()).toEqual([other]);
  await database.collection('facts').updateMany({}, { $set: { handed_on_at: new Date(0) } });
  const [later] = await record('b', 1);
  const again = await tried();
  expect(again).toContain(later);
  expect(again.filter((id) => failing.includes(id)).length).toBeGreaterThan(0);
});
