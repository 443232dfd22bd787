import { expect, test, vi } from 'vitest';
import { describeError, withoutAddresses } from '../../src/app/log.ts';
import { loop } from '../../src/app/loop.ts';

/** A promise with its ends outside. */
function latch() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

const quiet = { error: vi.fn() };

test('rounds never overlap, and closing lets the current one end', async () => {
  let running = 0;
  let most = 0;
  let rounds = 0;
  const third = latch();
  const release = latch();
  const part = loop({
    name: 'rounds',
    everyMs: 1,
    log: quiet,
    work: async () => {
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

test('a failed round is logged and does not end the loop', async () => {
  const error = vi.fn();
  const second = latch();
  let rounds = 0;
  const part = loop({
    name: 'relay',
    everyMs: 1,
    log: { error },
    work: async () => {
      rounds += 1;
      if (rounds === 1) throw new Error('once');
      second.open();
    },
  });
  await second.opened;
  await part.close();
  expect(error).toHaveBeenCalledExactlyOnceWith({ name: 'relay', error: new Error('once') }, 'loop.failed');
});

test('a round decides when the next one comes', async () => {
  const third = latch();
  let rounds = 0;
  const part = loop({
    name: 'decides',
    everyMs: 3_600_000,
    log: quiet,
    work: async () => {
      rounds += 1;
      if (rounds < 3) return { inMs: 0 };
      return third.open();
    },
  });
  await third.opened;
  await part.close();
  expect(rounds).toBe(3);
});

test('an error is described by name, code and message', () => {
  const error = Object.assign(new TypeError('no'), { code: 'E1', response: 'secret' });
  expect(describeError(error)).toEqual({ name: 'TypeError', code: 'E1', message: 'no' });
  expect(describeError(error, true)).toHaveProperty('stack');
  expect(describeError('plain')).toEqual({ name: 'string', message: 'plain' });
});

test.each([
  ['550 parent@example.org unknown', '550 [address removed] unknown'],
  ['"To":"<žák+x@škola-1.example.cz>"', '"To":"<[address removed]>"'],
  ['smtp://user:pa%40ss@mail.example.org:25/?pool=1', 'smtp://[removed]@mail.example.org:25/?pool=1'],
  ['redis://:hunter2@localhost', 'redis://[removed]@localhost'],
  ["The 'To' number +420123456789 is not valid", "The 'To' number [number removed] is not valid"],
  ['2026-03-29T02:30:00.000+01:00', '2026-03-29T02:30:00.000+01:00'],
  ['node_modules/@fastify/swagger/index.js:1', 'node_modules/@fastify/swagger/index.js:1'],
])('%j is written as %j', (line, written) => {
  expect(withoutAddresses(line)).toBe(written);
});
