import { describe, expect, test } from 'vitest';
import { enqueue, findNextRelay, markQueued } from '../../../src/notifications/fan-out/enqueue.ts';
import type { NotificationStores } from '../../../src/notifications/ports.ts';
import type { Channel } from '../../../src/people/channels.ts';
import { NOW } from '../../support/builders.ts';
import { aDelivery } from '../../support/message-builders.ts';
import { inMemoryQueues, MOST } from './queues-in-memory.ts';

describe('fresh rows', () => {
  const waiting = (channel: Channel, urgent = false) => aDelivery({ channel, urgent });
  /** The channels of the rows that were marked. */
  const marked = async (deps: ReturnType<typeof inMemoryQueues>['deps'], ...rows: ReturnType<typeof waiting>[]) =>
    (await markQueued(deps, rows, NOW)).flatMap(({ channel, queued_at }) => (queued_at === null ? [] : channel)).sort();

  test('are marked if their queue has capacity', async () => {
    const { deps } = inMemoryQueues();
    expect(await marked(deps, waiting('email'), waiting('push'))).toEqual(['email', 'push']);
  });

  test.each([
    [false, MOST.bulk],
    [true, MOST.urgent],
  ])(
    'stay in MongoDB if the queue of their channel and priority is full (urgent: %s, %d jobs)',
    async (urgent, most) => {
      const { deps } = inMemoryQueues();
      const group = { ids: ['x'], urgent, tenant_id: 't1' };
      await deps.deliveryQueue.add('email', Array(most - 1).fill(group));
      expect(await marked(deps, waiting('email', urgent))).toEqual(['email']);
      await deps.deliveryQueue.add('email', [group]);
      expect(await marked(deps, waiting('email', urgent))).toEqual([]);
      expect(await marked(deps, waiting('email', !urgent))).toEqual(['email']);
      expect(await marked(deps, waiting('sms', urgent))).toEqual(['sms']);
    },
  );

  test('are not marked if they are final already', async () => {
    const { deps } = inMemoryQueues();
    expect(await marked(deps, aDelivery({ status: 'skipped', reason: 'no_contact' }))).toEqual([]);
  });

  test('stay in MongoDB when Redis can’t be reached, without an error', async () => {
    const { deps, faults, jobs } = inMemoryQueues();
    faults.queue = true;
    expect(await marked(deps, waiting('email'))).toEqual([]);
    await expect(enqueue(deps, [waiting('email')], NOW)).resolves.toBeUndefined();
    expect(jobs()).toEqual([]);
  });

  test('that are due soon get a delayed job for each due time, and count as queued from then on', async () => {
    const { deps, jobs } = inMemoryQueues();
    const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
    const soon = Array.from({ length: 150 }, (_, i) => aDelivery({ id: `d${i}`, due_at: at(i < 120 ? 10 : 4) }));
    const rows = [...soon, aDelivery({ id: 'now', due_at: NOW }), aDelivery({ id: 'far', due_at: at(60) })];
    const both = await markQueued(deps, rows, NOW);
    expect(both.map(({ queued_at, due_at }) => queued_at?.getTime() === due_at.getTime())).toEqual([
      ...soon.map(() => true),
      true,
      false,
    ]);
    expect(both.at(-1)?.queued_at).toBeNull();
    await enqueue(
      deps,
      both.filter((row) => row.queued_at !== null),
      NOW,
    );
    expect(jobs().map(({ ids, afterMs }) => [ids.length, afterMs])).toEqual([
      [100, 10_000],
      [20, 10_000],
      [30, 4_000],
      [1, undefined],
    ]);
  });

  test('that are due soon stay in MongoDB if their channel has all its delayed jobs', async () => {
    const { deps } = inMemoryQueues();
    const soon = aDelivery({ due_at: new Date(NOW.getTime() + 5_000) });
    const isMarked = async () => (await markQueued(deps, [soon], NOW))[0]?.queued_at !== null;
    const group = { ids: ['x'], urgent: false, tenant_id: 't1', afterMs: 5_000 };
    await deps.deliveryQueue.add('email', Array(149).fill(group));
    expect(await isMarked()).toBe(true);
    await deps.deliveryQueue.add('email', [group]);
    expect(await isMarked()).toBe(false);
    // Delayed jobs take no capacity from due rows.
    expect(await marked(deps, waiting('email'))).toEqual(['email']);
  });

  test('are queued in jobs of at most 100 ids of one channel', async () => {
    const { deps, jobs } = inMemoryQueues();
    const rows = Array.from({ length: 220 }, (_, i) => aDelivery({ id: `d${i}`, urgent: true }));
    await enqueue(deps, [...rows, aDelivery({ id: 'p', channel: 'push', urgent: true })], NOW);
    expect(jobs().map(({ channel, ids, urgent }) => [channel, ids.length, urgent])).toEqual([
      ['email', 100, true],
      ['email', 100, true],
      ['email', 20, true],
      ['push', 1, true],
    ]);
    expect(Object.keys(jobs()[0] ?? {}).sort()).toEqual(['channel', 'ids', 'tenant_id', 'urgent']);
  });
});

test.each([
  ['now while a fact is unfinished', true, false, NOW],
  ['now while a message is in progress', false, true, NOW],
  ['when the next message is due', false, false, new Date(NOW.getTime() + 5_000)],
])('the relay looks for work %s', async (_, unfinished, inProgress, at) => {
  const facts = { isAnyUnfinished: async () => unfinished };
  const findNextDue = async () => new Date(NOW.getTime() + 5_000);
  const deliveries = { isAnyInProgress: async () => inProgress, findNextDue };
  const stores = { facts, deliveries, clock: { now: () => NOW } } as unknown as NotificationStores;
  expect(await findNextRelay(stores)).toEqual(at);
});
