import { expect, test, vi } from 'vitest';
import { ifDue, loop, pauseUntil } from '../../src/app/loop.ts';
import { localWakeUps } from '../../src/core/wake-ups.ts';
import { latch } from '../support/latch.ts';

const clock = { now: () => new Date() };
const quiet = { error: vi.fn() };
const soon = { clock, tickMs: 1, sweepMs: 1, log: quiet };
const HOUR_MS = 3_600_000;

test('never overlaps rounds, and lets the current one end when it is closed', async () => {
  let running = 0;
  let most = 0;
  let rounds = 0;
  const third = latch();
  const release = latch();
  const part = loop({
    name: 'rounds',
    ...soon,
    round: async () => {
      running += 1;
      rounds += 1;
      most = Math.max(most, running);
      if (rounds === 3) {
        third.open();
        await release.opened;
      }
      running -= 1;
    },
  });
  await third.opened;
  const closed = part.close();
  expect(running).toBe(1);
  release.open();
  await closed;
  expect({ running, most, rounds }).toEqual({ running: 0, most: 1, rounds: 3 });
});

test('tries again a tick after a failed round, and logs a failure once until a round succeeds', async () => {
  const error = vi.fn();
  const last = latch();
  let rounds = 0;
  const part = loop({
    name: 'relay',
    clock,
    tickMs: 1,
    sweepMs: HOUR_MS,
    log: { error },
    round: async () => {
      rounds += 1;
      if (rounds === 3) return new Date();
      if (rounds < 5) throw new Error('Redis does not answer');
      last.open();
      return null;
    },
  });
  await last.opened;
  await part.close();
  // In rounds 1 and 4.
  expect(error).toHaveBeenCalledTimes(2);
  expect(error).toHaveBeenCalledWith({ name: 'relay', error: new Error('Redis does not answer') }, 'loop.failed');
});

test('a round decides when the next one comes', async () => {
  const third = latch();
  let rounds = 0;
  const part = loop({
    name: 'decides',
    clock,
    tickMs: HOUR_MS,
    sweepMs: HOUR_MS,
    log: quiet,
    round: async () => {
      rounds += 1;
      if (rounds < 3) return new Date(Date.now() + 50);
      third.open();
      return null;
    },
  });
  await third.opened;
  await part.close();
  expect(rounds).toBe(3);
});

test.each(['asleep', 'in a round'])('runs a round a tick after a wake-up that comes while it is %s', async (when) => {
  const wakeUps = localWakeUps();
  const asleep = latch();
  const second = latch();
  let rounds = 0;
  const part = loop({
    name: 'woken',
    clock,
    wakeUps,
    tickMs: 1,
    sweepMs: HOUR_MS,
    log: quiet,
    round: async () => {
      rounds += 1;
      if (rounds === 2) second.open();
      else if (when === 'in a round') wakeUps.notify();
      else setImmediate(asleep.open);
      return null;
    },
  });
  if (when === 'asleep') {
    await asleep.opened;
    wakeUps.notify();
  }
  await second.opened;
  await part.close();
  expect(rounds).toBe(2);
});

test('answers a burst of wake-ups with one round', async () => {
  const wakeUps = localWakeUps();
  const asleep = latch();
  let rounds = 0;
  const round = async () => {
    rounds += 1;
    setImmediate(asleep.open);
    return null;
  };
  const part = loop({ name: 'burst', clock, wakeUps, tickMs: 5_000, sweepMs: HOUR_MS, log: quiet, round });
  await asleep.opened;
  for (let i = 0; i < 20; i++) {
    wakeUps.notify();
    await new Promise(setImmediate);
  }
  await part.close();
  expect(rounds).toBe(1);
});

test('ends a long sleep when it is closed', async () => {
  const first = latch();
  const round = async () => {
    setImmediate(first.open);
    return null;
  };
  const part = loop({ name: 'sleeps', clock, tickMs: 1, sweepMs: HOUR_MS, log: quiet, round });
  await first.opened;
  await part.close();
});

test.each([
  ['nothing is known to be due', null, 15_000],
  ['the next item is due after the sweep', 3_600_000, 15_000],
  ['the next item is due before', 12_000, 12_000],
  ['the next item is due in a moment', 3, 20],
  ['it is overdue, and was just tried', -3_600_000, 1_000],
])('sleeps if %s', (_, inMs, ms) => {
  const now = new Date();
  expect(pauseUntil(inMs === null ? null : new Date(now.getTime() + inMs), now, 1_000, 15_000)).toBe(ms);
});

test.each([
  ['sleeps until the next item is due', [500], 'backlog', 500, 0],
  ['sleeps until it is woken if no item is known', [null], 'backlog', null, 0],
  ['works on a due item, and sleeps until the next one', [0, 700], 'done', 700, 1],
  ['works again sooner if it has left a backlog', [-500], 'backlog', 50, 1],
  ['works again after a tick if the work was skipped', [0, 0], undefined, 0, 1],
] as const)('a round that works if an item is due %s', async (_, dueInMs, work, nextInMs, times) => {
  const now = new Date();
  const inMs = (ms: number | null) => (ms === null ? null : new Date(now.getTime() + ms));
  const worked = vi.fn(async () => work);
  const due = [...dueInMs];
  const round = ifDue({ now: () => now }, async () => inMs(due.shift() ?? null), worked);
  expect(await round(new AbortController().signal)).toEqual(inMs(nextInMs));
  expect(worked).toHaveBeenCalledTimes(times);
});
