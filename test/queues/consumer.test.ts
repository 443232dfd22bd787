import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startRedis } from '../../src/dev/services/services.ts';
import { asOne, consumer } from '../../src/queues/consumer.ts';
import { readFactPayload } from '../../src/queues/names.ts';

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

test('names each outage of Redis in the log once, also if no job came in between', async () => {
  const redis = await startRedis({ own: true });
  const logged: string[] = [];
  const line = consumer({
    queue: 'fan-out',
    priority: 'bulk',
    settings: { url: redis.uri, prefix: 'test' },
    concurrency: 1,
    read: readFactPayload,
    work: async () => undefined,
    log: (event) => void logged.push(event),
  });
  try {
    for (const outage of [1, 2]) {
      await expect.poll(line.ready, { timeout: 20_000 }).toBe('ok');
      await redis.kill();
      await expect.poll(() => logged.length, { timeout: 20_000 }).toBe(outage);
      await redis.restart();
    }
    expect(logged).toEqual(['queue.error', 'queue.error']);
  } finally {
    await line.close();
    await redis.stop();
  }
});
