import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PRIORITIES } from '../../src/core/priority.ts';
import type { LocalServer } from '../../src/dev/services/local-server.ts';
import { startRedis } from '../../src/dev/services/services.ts';
import type { UnpublishedFact } from '../../src/outbox/ports.ts';
import { publishRecorded } from '../../src/outbox/relay.ts';
import { type Consumer, consumer } from '../../src/queues/consumer.ts';
import { type FactPayload, type QueueName, readFactPayload } from '../../src/queues/names.ts';
import { publisher } from '../../src/queues/publisher.ts';

type Publisher = ReturnType<typeof publisher>;

let redis: LocalServer;
let prefix = 0;
let queues: Publisher;
const opened: Publisher[] = [];
beforeAll(async () => {
  redis = await startRedis({});
});
beforeEach(async () => {
  prefix += 1;
  queues = publisher({ url: redis.uri, prefix: `test-${prefix}` });
  opened.push(queues);
  await queues.faults(); // the connection is there
});
afterAll(async () => {
  await Promise.all(opened.map((one) => one.close()));
  await redis?.stop();
});

const idOf = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
let last = 0;

const facts = (tenant_id: string, count: number, more: Partial<UnpublishedFact> = {}): UnpublishedFact[] =>
  Array.from({ length: count }, () => {
    last += 1;
    return { id: idOf(last), type: 'event.published', tenant_id, urgent: false, ...more };
  });

/** Processes one priority, one job at a time. @returns the tenants of the processed jobs, in order */
async function order(
  count: number,
  {
    queue = 'fan-out',
    priority = 'bulk',
    again = () => false,
  }: { queue?: QueueName; priority?: 'urgent' | 'bulk'; again?(payload: FactPayload): boolean } = {},
): Promise<string[]> {
  const worked: string[] = [];
  let line: Consumer | undefined;
  await new Promise<void>((resolve) => {
    const work = async (payload: FactPayload) => {
      worked.push(payload.tenant_id);
      if (worked.length === count) resolve();
      return again(payload) ? payload : undefined;
    };
    const settings = { url: redis.uri, prefix: `test-${prefix}` };
    const read = readFactPayload;
    line = consumer({ queue, priority, settings, concurrency: 1, read, work, log: () => {} });
  });
  await line?.close();
  return worked;
}

test('queues urgent facts apart from bulk', async () => {
  await queues.factQueue.publish([...facts('a', 5), ...facts('a', 1, { type: 'event.cancelled', urgent: true })]);
  expect(await Promise.all(PRIORITIES.map(queues.factQueue.countWaiting))).toEqual([1, 5]);
  expect(await order(1, { priority: 'urgent' })).toEqual(['a']);
});

test('puts a job that yields at the end of the queue, once', async () => {
  const [long] = facts('a', 1);
  await queues.factQueue.publish(long ? [long] : []);
  await queues.factQueue.publish(facts('b', 3));
  let turns = 0;
  const again = ({ factId }: FactPayload) => {
    if (factId !== long?.id) return false;
    turns += 1;
    return turns < 4;
  };
  const worked = await order(7, { again });
  expect(worked.slice(0, 4)).not.toEqual(['a', 'a', 'a', 'a']);
  expect(worked.filter((tenant) => tenant === 'a')).toHaveLength(4);
});

test('queues a fact once, also when it is published to the queue again', async () => {
  const [fact] = facts('a', 1);
  const one = fact ? [fact] : [];
  await queues.factQueue.publish(one);
  await queues.factQueue.publish(one);
  expect(await queues.factQueue.countWaiting('bulk')).toBe(1);
});

test('queues recorded facts while there is capacity and leaves the others to the relay', async () => {
  const { factQueue } = queues;
  await publishRecorded(factQueue, [...facts('a', 98), ...facts('a', 1, { type: 'event.cancelled', urgent: true })]);
  await publishRecorded(factQueue, [...facts('b', 5), ...facts('b', 1, { type: 'event.cancelled', urgent: true })]);
  expect(await Promise.all(PRIORITIES.map(factQueue.countWaiting))).toEqual([2, 100]);
});

test('parts of several facts take turns, and other facts do not wait behind them', async () => {
  const [long, short] = [...facts('long', 1), ...facts('short', 1)];
  if (!long || !short) throw new Error('no facts');
  await queues.factQueue.publishParts(long, [0, 1, 2]);
  await queues.factQueue.publishParts(short, [0, 1]);
  expect(await queues.factQueue.countWaiting('bulk')).toBe(0);
  expect(await queues.factQueue.isIdle()).toBe(false);
  expect(await order(5, { queue: 'fan-out-parts' })).toEqual(['long', 'short', 'long', 'short', 'long']);
  expect(await queues.factQueue.isIdle()).toBe(true);
});

test('works once Redis is back, even if a queue was first used while it was away', async () => {
  await redis.kill();
  await expect(queues.factQueue.countWaiting('urgent')).rejects.toThrow();
  await redis.restart({ empty: true });
  await expect.poll(() => queues.factQueue.countWaiting('urgent').catch(() => null), { timeout: 10_000 }).toBe(0);
});
