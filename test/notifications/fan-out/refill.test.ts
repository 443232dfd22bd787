import { describe, expect, test } from 'vitest';
import { QUEUED_CHANNELS } from '../../../src/people/channels.ts';
import { inMemoryQueues, MOST, waitingRows } from './queues-in-memory.ts';

describe('the refill of the queues', () => {
  test('puts waiting messages on the queue of their channel, in jobs of at most 100, urgent ones first', async () => {
    const { refill, jobs } = inMemoryQueues([...waitingRows(220), ...waitingRows(3, { channel: 'sms', urgent: true })]);
    expect(await refill()).toBe(223);
    expect(jobs().map(({ channel, urgent, ids }) => [channel, urgent, ids.length])).toEqual([
      ['sms', true, 3],
      ['email', false, 100],
      ['email', false, 100],
      ['email', false, 20],
    ]);
  });

  test('keeps the order in which rows became due', async () => {
    const { refill, ids } = inMemoryQueues(waitingRows(150));
    await refill();
    expect(ids()).toEqual(waitingRows(150).map((row) => row.id));
  });

  test.each(QUEUED_CHANNELS)('fills the queue of %s up to its capacity', async (channel) => {
    const { refill, jobs } = inMemoryQueues([
      ...waitingRows(4_100, { channel }),
      ...waitingRows(6_100, { channel, urgent: true }),
    ]);
    await refill();
    const urgent = jobs().filter((job) => job.urgent).length;
    expect({ urgent, bulk: jobs().length - urgent }).toEqual(MOST);
  });

  test('adds as many jobs as were processed', async () => {
    const { refill, jobs, work } = inMemoryQueues(waitingRows(10_000));
    await refill();
    work(7);
    expect(await refill()).toBe(700);
    expect(jobs()).toHaveLength(MOST.bulk);
  });

  test('fills the queues of other channels during a flood on one', async () => {
    const { refill, jobs } = inMemoryQueues([...waitingRows(4_100), ...waitingRows(1, { channel: 'push' })]);
    await refill();
    expect(jobs().filter((job) => job.channel === 'push')).toHaveLength(1);
  });

  test('takes a job of each tenant in round robin', async () => {
    const rows = [
      ...waitingRows(10_000, { tenant_id: 'a' }),
      ...waitingRows(220, { tenant_id: 'b' }),
      ...waitingRows(10, { tenant_id: 'c' }),
    ];
    const { refill, tenants } = inMemoryQueues(rows);
    await refill();
    expect(tenants().slice(0, 8)).toEqual(['a', 'b', 'c', 'a', 'b', 'a', 'b', 'a']);
    expect(tenants()).toHaveLength(MOST.bulk);
  });

  test('queues another tenant’s urgent message during one tenant’s urgent flood', async () => {
    const { refill, ids, arrive } = inMemoryQueues(
      waitingRows(MOST.urgent * 100 + 100, { tenant_id: 'a', urgent: true }),
    );
    await refill();
    arrive(waitingRows(1, { tenant_id: 'b', urgent: true }));
    await refill();
    expect(ids()).toContain('b-email-urgent-0');
  });
});

describe('lost wake-ups', () => {
  test('are found again when Redis was emptied', async () => {
    const { refill, ids, now, flush } = inMemoryQueues(waitingRows(250));
    await refill();
    flush();
    now.at += 2_001;
    expect(await refill()).toBe(250);
    expect(ids()).toHaveLength(250);
  });

  test('are found again after the queue could not be reached while they were put on it', async () => {
    const { refill, deps, ids, now, faults } = inMemoryQueues(waitingRows(5));
    faults.queue = true;
    await expect(refill()).rejects.toThrow();
    const taken = await deps.deliveries.takeForQueue('email', false, 't1', 100);
    const job = { ids: taken, urgent: false, tenant_id: 'tenant-a' };
    await expect(deps.deliveryQueue.add('email', [job])).rejects.toThrow();
    faults.queue = false;
    now.at += 2_001;
    await refill();
    expect(ids()).toHaveLength(5);
  });

  test('are not assumed for rows that were queued less than two seconds ago', async () => {
    const { refill, now, flush } = inMemoryQueues(waitingRows(250));
    await refill();
    flush();
    now.at += 1_999;
    expect(await refill()).toBe(0);
  });

  // Promise 5: "Nothing is lost … and work resumes within 10 seconds of its return".
  test('of the urgent priority are found again while bulk keeps the channel busy', async () => {
    const { refill, ids, now, flush, work } = inMemoryQueues([
      ...waitingRows(30_000),
      ...waitingRows(3, { urgent: true }),
    ]);
    await refill();
    flush();
    now.at += 1_000;
    await refill();
    const seen = new Set<string>();
    for (let second = 0; second < 10; second += 1) {
      now.at += 1_000;
      work(20);
      await refill();
      for (const id of ids()) seen.add(id);
    }
    expect(seen).toContain('t1-email-urgent-0');
  });
});
