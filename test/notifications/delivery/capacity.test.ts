import { expect, test } from 'vitest';
import type { ChannelAdapter } from '../../../src/notifications/channel-adapter.ts';
import { capacityOf } from '../../../src/notifications/delivery/capacity.ts';

test.each([
  [1, 1],
  [3, 3],
  [4, 3],
  [20, 18],
])('lets an urgent message pass when bulk hangs on all its connections of %i', async (capacity, bulk) => {
  const { connections } = capacityOf({ capacity } as ChannelAdapter);
  const order: string[] = [];
  for (let n = 0; n <= bulk; n += 1) void connections.acquire(1, false).then(() => order.push('bulk'));
  await connections.acquire(1, true);
  expect(order).toHaveLength(bulk);
});
