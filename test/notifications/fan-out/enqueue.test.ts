import { describe, expect, test } from 'vitest';
import { enqueue, markQueued, refillQueues } from '../../../src/notifications/fan-out/enqueue.ts';
import type { Channel } from '../../../src/notifications/policy/trigger.ts';
import { QUEUED_CHANNELS } from '../../../src/people/channels.ts';
import { NOW } from '../../support/builders.ts';
import { aDelivery } from '../../support/message-builders.ts';
import { inMemoryQueues, MOST, waitingRows } from './queues-in-memory.ts';

describe('refillQueues', () => {
  test('puts waiting messages on the queue of their channel, in groups of at most 100, urgent ones first', async () => {
    const { deps, jobs } = inMemoryQueues([...waitingRows(220), ...waitingRows(3, { channel: 'sms', urgent: true })]);
    expect(await refillQueues(deps)).toBe(223);
    expect(jobs().map(({ channel, urgent, ids }) => [channel, urgent, ids.length])).toEqual([
      ['sms', true, 3],
      ['email', false, 100],
      ['email', false, 100],
      ['email', false, 20],
    ]);
  });

  test('keeps the order in which rows became due', async () => {
    const { deps, ids } = inMemoryQueues(waitingRows(150));
    await refillQueues(deps);
    expect(ids()).toEqual(waitingRows(150).map((row) => row.id));
  });

  test.each(QUEUED_CHANNELS.map((channel) => [channel]))('holds at most a window of %s', async (channel) => {
    const { deps, jobs } = inMemoryQueues([
      ...waitingRows(4_100, { channel }),
      ...waitingRows(6_100, { channel, urgent: true }),
    ]);
    await refillQueues(deps);
    const urgent = jobs().filter((job) => job.urgent).length;
    expect({ urgent, bulk: jobs().length - urgent }).toEqual(MOST);
  });

  test('fills the window up by what was processed', async () => {
    const { deps, jobs, work } = inMemoryQueues(waitingRows(10_000));
    await refillQueues(deps);
    work(7);
    expect(await refillQueues(deps)).toBe(700);
    expect(jobs()).toHaveLength(MOST.bulk);
  });

  test('one channel’s flood leaves the windows of the others alone', async () => {
    const { deps, jobs } = inMemoryQueues([...waitingRows(4_100), ...waitingRows(1, { channel: 'push' })]);
    await refillQueues(deps);
    expect(jobs().filter((job) => job.channel === 'push')).toHaveLength(1);
  });

  test('takes a group of each tenant in round robin', async () => {
    const rows = [
      ...waitingRows(10_000, { tenant_id: 'a' }),
      ...waitingRows(220, { tenant_id: 'b' }),
      ...waitingRows(10, { tenant_id: 'c' }),
    ];
    const { deps, tenants } = inMemoryQueues(rows);
    await refillQueues(deps);
    expect(tenants().slice(0, 8)).toEqual(['a', 'b', 'c', 'a', 'b', 'a', 'b', 'a']);
    expect(tenants()).toHaveLength(MOST.bulk);
  });

  // Promise 7: "One tenant's flood does not hold up another's urgent message".
  test('one tenant’s urgent flood leaves room for another’s urgent message', async () => {
    const { deps, ids, arrive } = inMemoryQueues(
      waitingRows(MOST.urgent * 100 + 100, { tenant_id: 'a', urgent: true }),
    );
    await refillQueues(deps);
    arrive(waitingRows(1, { tenant_id: 'b', urgent: true }));
    await refillQueues(deps);
    expect(ids()).toContain('b-email-urgent-0');
  });

  // delivery.md "Fan-out": "Redis holds a bounded window".
  test('puts suspected poison messages into jobs of their own', async () => {
    const { deps, jobs } = inMemoryQueues([...waitingRows(3, { suspect: true }), ...waitingRows(4)]);
    await refillQueues(deps);
    expect(
      jobs()
        .map(({ ids }) => ids.length)
        .sort(),
    ).toEqual([3, 4]);
  });
});

describe('lost wake-ups', () => {
  test('are found again when Redis was emptied', async () => {
    const { deps, ids, now, flush } = inMemoryQueues(waitingRows(250));
    await refillQueues(deps);
    flush();
    now.at += 2_001;
    expect(await refillQueues(deps)).toBe(250);
    expect(ids()).toHaveLength(250);
  });

  test('are found again after the queue could not be reached while they were put on it', async () => {
    const { deps, ids, now, faults } = inMemoryQueues(waitingRows(5));
    faults.queue = true;
    await expect(refillQueues(deps)).rejects.toThrow();
    const taken = await deps.deliveries.takeForQueue('email', false, 't1', 100);
    await expect(
      deps.deliveryQueue.add('email', [{ ids: taken.map(({ id }) => id), urgent: false, tenant_id: 'tenant-a' }]),
    ).rejects.toThrow();
    faults.queue = false;
    now.at += 2_001;
    await refillQueues(deps);
    expect(ids()).toHaveLength(5);
  });

  test('are not looked for among what is on its way just now', async () => {
    const { deps, now, flush } = inMemoryQueues(waitingRows(250));
    await refillQueues(deps);
    flush();
    now.at += 1_999;
    expect(await refillQueues(deps)).toBe(0);
  });

  // Promise 5: "nothing is lost … and work moves again within 10 s of its return".
  test('of the urgent priority are found again while bulk keeps the channel busy', async () => {
    const { deps, ids, now, flush, work } = inMemoryQueues([
      ...waitingRows(30_000),
      ...waitingRows(3, { urgent: true }),
    ]);
    await refillQueues(deps);
    flush();
    now.at += 1_000;
    await refillQueues(deps);
    const seen = new Set<string>();
    for (let second = 0; second < 10; second += 1) {
      now.at += 1_000;
      work(20);
      await refillQueues(deps);
      for (const id of ids()) seen.add(id);
    }
    expect(seen).toContain('t1-email-urgent-0');
  });
});

describe('rows fresh from the fan-out', () => {
  const waiting = (channel: Channel, urgent = false) => aDelivery({ channel, urgent });
  /** The channels whose rows may be queued. */
  const room = async (deps: ReturnType<typeof inMemoryQueues>['deps'], ...rows: ReturnType<typeof waiting>[]) =>
    (await markQueued(deps, rows, NOW)).flatMap(({ channel, queued_at }) => (queued_at === null ? [] : channel)).sort();

  test('may go straight to a queue that has room', async () => {
    const { deps } = inMemoryQueues();
    expect(await room(deps, waiting('email'), waiting('push'))).toEqual(['email', 'push']);
  });

  test.each([
    [false, MOST.bulk],
    [true, MOST.urgent],
  ])('wait for their turn when the window is full (urgent: %s, %d groups)', async (urgent, most) => {
    const { deps } = inMemoryQueues();
    const group = { ids: ['x'], urgent, tenant_id: 't1' };
    await deps.deliveryQueue.add('email', Array(most - 1).fill(group));
    expect(await room(deps, waiting('email', urgent))).toEqual(['email']);
    await deps.deliveryQueue.add('email', [group]);
    expect(await room(deps, waiting('email', urgent))).toEqual([]);
    expect(await room(deps, waiting('email', !urgent))).toEqual(['email']);
    expect(await room(deps, waiting('sms', urgent))).toEqual(['sms']);
  });

  test('ask nothing for rows that are settled already', async () => {
    const { deps } = inMemoryQueues();
    expect(await room(deps, aDelivery({ status: 'skipped', reason: 'no_contact' }))).toEqual([]);
  });

  test('stay in MongoDB when Redis can’t be reached, without an error', async () => {
    const { deps, faults, jobs } = inMemoryQueues();
    faults.queue = true;
    expect(await room(deps, waiting('email'))).toEqual([]);
    await expect(enqueue(deps, [waiting('email')], NOW)).resolves.toBeUndefined();
    expect(jobs()).toEqual([]);
  });

  test('that are due in a moment lie on their queue until then, each moment by itself, and count as queued from then on', async () => {
    const { deps, jobs } = inMemoryQueues();
    const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
    const soon = Array.from({ length: 150 }, (_, i) => aDelivery({ id: `d${i}`, due_at: at(i < 120 ? 10 : 4) }));
    const rows = [...soon, aDelivery({ id: 'now', due_at: NOW }), aDelivery({ id: 'far', due_at: at(60) })];
    const marked = await markQueued(deps, rows, NOW);
    expect(marked.map(({ queued_at, due_at }) => queued_at?.getTime() === due_at.getTime())).toEqual([
      ...soon.map(() => true),
      true,
      false,
    ]);
    expect(marked.at(-1)?.queued_at).toBeNull();
    await enqueue(
      deps,
      marked.filter((row) => row.queued_at !== null),
      NOW,
    );
    expect(jobs().map(({ ids, afterMs }) => [ids.length, afterMs])).toEqual([
      [100, 10_000],
      [20, 10_000],
      [30, 4_000],
      [1, undefined],
    ]);
  });

  test('lie on a queue until they are due only as long as there is room for such', async () => {
    const { deps } = inMemoryQueues();
    const soon = aDelivery({ due_at: new Date(NOW.getTime() + 5_000) });
    const isMarked = async () => (await markQueued(deps, [soon], NOW))[0]?.queued_at !== null;
    const group = { ids: ['x'], urgent: false, tenant_id: 't1', afterMs: 5_000 };
    await deps.deliveryQueue.add('email', Array(149).fill(group));
    expect(await isMarked()).toBe(true);
    await deps.deliveryQueue.add('email', [group]);
    expect(await isMarked()).toBe(false);
    // They take none of the room of what is due.
    expect(await room(deps, waiting('email'))).toEqual(['email']);
  });

  test('go in groups of at most 100 of one channel, ids only', async () => {
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
