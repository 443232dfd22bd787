import { setTimeout as delay } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { LocalServer } from '../../src/dev/services/local-server.ts';
import { startRedis } from '../../src/dev/services/services.ts';
import { asOne, consumer } from '../../src/queues/consumer.ts';
import { type DeliveryPayload, queueNameOf, readDeliveryPayload } from '../../src/queues/names.ts';

let redis: LocalServer;
beforeAll(async () => {
  redis = await startRedis({});
});
afterAll(() => redis.stop());

/** Consumes the queue of e-mails; `left`: the ids that the first turn of a job leaves. */
function consumeEmails(prefix: string, left: readonly string[] = []) {
  const queue = new Queue(queueNameOf('email', 'bulk'), { connection: { url: redis.uri }, prefix });
  const turns: string[][] = [];
  const events: string[] = [];
  const running = consumer<DeliveryPayload>({
    queue: 'email',
    priority: 'bulk',
    settings: { url: redis.uri, prefix },
    concurrency: 1,
    read: readDeliveryPayload,
    async work({ ids, ...payload }) {
      turns.push(ids);
      return left.length > 0 && turns.length === 1 ? { ...payload, ids: [...left] } : undefined;
    },
    log: (event) => events.push(event),
  });
  onTestFinished(async () => {
    await running.close();
    await queue.close();
  });
  return { queue, turns, events };
}

const [ONE, TWO] = ['1', '2'].map((n) => n.repeat(36)) as [string, string];

test('a job of a newer version waits for a newer process, and one that is malformed is removed', async () => {
  const { queue, turns, events } = consumeEmails('newer');
  for (const data of [{ v: 99 }, { ids: 'none' }, { ids: [ONE], tenant_id: 't' }]) await queue.add('deliver', data);
  await expect.poll(() => turns).toEqual([[ONE]]);
  expect(events).toEqual(['job.newer', 'job.malformed']);
  await expect.poll(() => queue.getJobCounts('wait', 'active', 'delayed')).toEqual({ wait: 0, active: 0, delayed: 1 });
});

test('a job whose turn is over joins the end of the queue with what is left of it', async () => {
  const { queue, turns } = consumeEmails('turns', [TWO]);
  await queue.addBulk([[ONE, TWO], [ONE]].map((ids) => ({ name: 'deliver', data: { ids, tenant_id: 't' } })));
  await expect.poll(() => turns).toEqual([[ONE, TWO], [ONE], [TWO]]);
});

test('several consumers close at the same time, and are ready if all are', async () => {
  let closing = 0;
  let most = 0;
  const consumer = (answer: string) => ({
    ready: async () => answer,
    async close() {
      closing += 1;
      most = Math.max(most, closing);
      await delay(1);
      closing -= 1;
    },
  });
  const both = asOne([consumer('ok'), consumer('Redis does not answer')]);
  await both.close();
  expect({ most, closing, ready: await both.ready() }).toEqual({ most: 2, closing: 0, ready: 'Redis does not answer' });
});
