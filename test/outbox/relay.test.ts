import { expect, test } from 'vitest';
import { ofPriority, type Priority } from '../../src/core/priority.ts';
import type { FactStore, UnpublishedFact } from '../../src/outbox/ports.ts';
import { publishRecorded, relayFacts, reopenLostFacts } from '../../src/outbox/relay.ts';

/** How many jobs of one priority Redis may hold. */
const MOST = 100;

const facts = (count: number, urgent = false): UnpublishedFact[] =>
  Array.from({ length: count }, (_, n) => ({
    id: `${urgent ? 'urgent' : 'bulk'}-${n}`,
    type: urgent ? 'event.cancelled' : 'event.published',
    tenant_id: 'a',
    urgent,
  }));

/** An outbox and a queue as lists; only the test removes jobs from the queue. */
function inMemory(unpublished: UnpublishedFact[] = []) {
  let outbox = unpublished;
  const queue: UnpublishedFact[] = [];
  const calls: string[] = [];
  const state = { isIdle: true };
  const deps = {
    facts: {
      findUnpublished: async (priority: Priority, limit: number) => ofPriority(priority, outbox).slice(0, limit),
      markPublished: async (ids: readonly string[]) => {
        calls.push(`mark ${ids.length}`);
        outbox = outbox.filter(({ id }) => !ids.includes(id));
      },
      reopenUnprocessed: async (olderThanMs: number) => olderThanMs,
    } as unknown as FactStore,
    factQueue: {
      publish: async (some: readonly UnpublishedFact[]) => {
        calls.push(`publish ${some.length} ${some[0]?.urgent ? 'urgent' : 'bulk'}`);
        queue.push(...some);
      },
      publishParts: async () => {},
      countWaiting: async (priority: Priority) => ofPriority(priority, queue).length,
      isIdle: async () => state.isIdle,
    },
  };
  return { deps, queue, calls, state, left: () => outbox.length };
}

test('publishes urgent facts before bulk, and marks them after the queue has accepted them', async () => {
  const { deps, calls, left } = inMemory([...facts(3), ...facts(2, true)]);
  expect(await relayFacts(deps)).toBe(false);
  expect(calls).toEqual(['publish 2 urgent', 'mark 2', 'publish 3 bulk', 'mark 3']);
  expect(left()).toBe(0);
});

test('marks no fact that the queue did not accept', async () => {
  const { deps, calls, left } = inMemory(facts(3));
  deps.factQueue.publish = () => Promise.reject(new Error('Redis is full'));
  await expect(relayFacts(deps)).rejects.toThrow('Redis is full');
  expect([calls, left()]).toEqual([[], 3]);
});

test('fills the queue up to its capacity, and says that facts may be left', async () => {
  const { deps, queue, left } = inMemory(facts(MOST + 30, true));
  expect(await relayFacts(deps)).toBe(true);
  expect([queue.length, left()]).toEqual([MOST, 30]);
  // Processes that publish at the same time fill it beyond its capacity.
  queue.push(...facts(1, true));
  expect(await relayFacts(deps)).toBe(true);
  expect([queue.length, left()]).toEqual([MOST + 1, 30]);
  queue.splice(0, 41);
  expect(await relayFacts(deps)).toBe(false);
  expect(left()).toBe(0);
});

test('publishes urgent facts while the queue of bulk facts is full', async () => {
  const { deps, queue } = inMemory([...facts(MOST + 1), ...facts(1, true)]);
  await relayFacts(deps);
  expect(ofPriority('urgent', queue)).toHaveLength(1);
});

test('publishes each recorded fact to the queue of its priority while that has capacity', async () => {
  const { deps, queue } = inMemory();
  await publishRecorded(deps.factQueue, [...facts(MOST + 1), ...facts(1, true)]);
  expect([ofPriority('urgent', queue).length, ofPriority('bulk', queue).length]).toEqual([1, MOST]);
});

test.each([
  ['two seconds', 'is idle', true, 2_000],
  ['a minute', 'holds jobs', false, 60_000],
])('counts a wake-up as lost after %s if the queue %s', async (_, __, isIdle, ms) => {
  const { deps, state } = inMemory();
  state.isIdle = isIdle;
  expect(await reopenLostFacts(deps)).toBe(ms);
});
