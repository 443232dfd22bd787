import { expect, test } from 'vitest';
import { roomInTime } from '../../src/notifications/patience.ts';
import type { DeliveryQueue, DeliveryStore } from '../../src/notifications/ports.ts';
import type { Channel } from '../../src/notifications/trigger.ts';
import { aDelivery, NOW } from '../support/builders.ts';

/** Queues that hold so many groups at first, and work one off in so many milliseconds; time passes in pauses only. */
function queues(of: Partial<Record<Channel, { held: number; everyMs: number }>>) {
  let at = NOW.getTime();
  const depth = async (channel: Channel) => {
    const { held = 0, everyMs = 1 } = of[channel] ?? {};
    const bulk = Math.max(0, held - Math.floor((at - NOW.getTime()) / everyMs));
    return { urgent: bulk, bulk, active: 0, later: 0 };
  };
  const deps = {
    clock: { now: () => new Date(at) },
    deliveries: {} as DeliveryStore,
    deliveryQueue: { depth } as Pick<DeliveryQueue, 'depth'> as DeliveryQueue,
    pause: async (ms: number) => {
      at += ms;
    },
  };
  return { deps, waited: () => at - NOW.getTime() };
}

const rows = (...channels: Channel[]) => channels.map((channel) => aDelivery({ channel }));
const NEVER = Number.POSITIVE_INFINITY;

test('where there is room nobody waits', async () => {
  const { deps, waited } = queues({ email: { held: 19, everyMs: NEVER } });
  expect(await roomInTime(deps, rows('email'), new Set())).toEqual(new Set(['email']));
  expect(waited()).toBe(0);
});

test('a full window that moves is waited for, however much too full it is', async () => {
  const { deps, waited } = queues({ email: { held: 25, everyMs: 400 } });
  expect(await roomInTime(deps, rows('email'), new Set())).toEqual(new Set(['email']));
  expect(waited()).toBeGreaterThan(2_300);
});

test('one that stands still is not, and is remembered as slow', async () => {
  const { deps, waited } = queues({ email: { held: 20, everyMs: NEVER }, push: { held: 21, everyMs: 600 } });
  const slow = new Set<Channel>();
  expect(await roomInTime(deps, rows('email', 'push'), slow)).toEqual(new Set(['push']));
  expect(slow).toEqual(new Set(['email']));
  expect(waited()).toBe(1_200);
  expect(await roomInTime(deps, rows('email', 'push'), slow)).toEqual(new Set(['push']));
  expect(waited()).toBe(1_200);
});

test('what stands still is waited for by no other fact either, until ten seconds later; what it has room for it takes', async () => {
  const sms = { held: 20, everyMs: NEVER };
  const { deps, waited } = queues({ sms });
  const another = () => roomInTime(deps, rows('sms'), new Set());
  expect(await another()).toEqual(new Set());
  expect(waited()).toBe(1_000);
  expect(await another()).toEqual(new Set());
  expect(waited()).toBe(1_000);
  sms.held = 19;
  expect(await another()).toEqual(new Set(['sms']));
  expect(waited()).toBe(1_000);
  sms.held = 20;
  await deps.pause(10_000);
  expect(await another()).toEqual(new Set());
  expect(waited()).toBe(12_000);
});

test('nobody waits longer than three seconds, nor for what is urgent', async () => {
  const { deps, waited } = queues({ email: { held: 40, everyMs: 400 } });
  const slow = new Set<Channel>();
  expect(await roomInTime(deps, rows('email'), slow)).toEqual(new Set());
  expect(slow).toEqual(new Set(['email']));
  expect(waited()).toBe(3_000);
  await roomInTime(deps, [aDelivery({ channel: 'email', urgent: true })], new Set());
  expect(waited()).toBe(3_000);
});
