import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { asOne } from '../../src/queues/consumer.ts';

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
