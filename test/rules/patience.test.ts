import { beforeEach, expect, test } from 'vitest';
import { roomInTime } from '../../src/notifications/patience.ts';
import type { Channel } from '../../src/notifications/trigger.ts';

const FULL = 1_000;
const now = { at: Date.parse('2026-10-16T17:00:00Z') };
const held = new Map<Channel, number>();
let pauses = 0;
/** What happens while somebody waits. */
let meanwhile = () => {};
const deps = {
  clock: { now: () => new Date(now.at) },
  deliveries: {} as never,
  deliveryQueue: {
    add: async () => {},
    depth: async (channel: Channel) => ({ urgent: 0, bulk: held.get(channel) ?? 0, active: 0, later: 0 }),
  },
  async pause(ms: number) {
    now.at += ms;
    pauses += 1;
    meanwhile();
  },
};
const rows = (...channels: Channel[]) => channels.map((channel) => ({ channel, status: 'waiting', urgent: false }));
const room = async (...channels: Channel[]) => [...(await roomInTime(deps, rows(...channels) as never, new Set()))];

beforeEach(() => {
  // Whatever stood still before doesn't any more.
  now.at += 60_000;
  held.clear();
  pauses = 0;
  meanwhile = () => {};
});

test('a channel with room is not waited for', async () => {
  expect(await room('email')).toEqual(['email']);
  expect(pauses).toBe(0);
});

test('a full window that empties is waited for', async () => {
  held.set('email', FULL);
  meanwhile = () => void held.set('email', pauses < 3 ? FULL - pauses : 0);
  expect(await room('email')).toEqual(['email']);
  expect(pauses).toBe(3);
});

test('a channel that stands still is waited for once, and again after a while: by this fact and by any other', async () => {
  held.set('sms', FULL);
  const from = now.at;
  expect(await room('sms', 'email')).toEqual(['email']);
  expect(now.at - from).toBeGreaterThanOrEqual(500);
  pauses = 0;
  expect(await room('sms')).toEqual([]);
  expect(pauses).toBe(0);
  now.at += 10_000;
  expect(await room('sms')).toEqual([]);
  expect(pauses).toBeGreaterThan(0);
});

test('one that stood still takes what it has room for at once', async () => {
  held.set('push', FULL);
  expect(await room('push')).toEqual([]);
  held.set('push', 0);
  expect(await room('push')).toEqual(['push']);
});
