import { expect, test } from 'vitest';
import { carryOut } from '../../src/events/carry-out.ts';
import type { Change } from '../../src/events/change.ts';
import { openTogether } from '../../src/events/together.ts';
import { Contended, type Tx } from '../../src/kernel/transaction.ts';
import { anEvent } from '../support/builders.ts';

/** Stores that write down what each transaction wrote; a transaction ends when the test says so. */
function writing({ fail }: { fail?: (group: string[]) => unknown } = {}) {
  const groups: string[][] = [];
  const commits: (() => void)[] = [];
  const together = openTogether({
    attempt: async (work) => {
      const result = await work({} as Tx);
      await new Promise<void>((resolve) => void commits.push(resolve));
      const failure = fail?.(groups.at(-1) ?? []);
      if (failure) throw failure;
      return result;
    },
    events: {
      replaceMany: async (all: readonly { event: { id: string } }[]) => {
        groups.push(all.map(({ event }) => event.id));
        return !groups.at(-1)?.includes('changed meanwhile');
      },
    } as never,
    facts: { record: async () => [] } as never,
    keepInStep: async () => {},
  });
  const settle = async () => {
    for (let turn = 0; turn < 10; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      commits.splice(0).forEach((commit) => void commit());
    }
  };
  return { groups, settle, write: (id: string) => together(changeOf(id)) };
}

const changeOf = (id: string): Change => ({ before: anEvent({ id }), after: anEvent({ id, title: 'New' }), facts: [] });

test('changes of one moment are written in one transaction, and the next while that one ends', async () => {
  const { groups, settle, write } = writing();
  const first = [write('a'), write('b')];
  await new Promise((resolve) => setImmediate(resolve));
  const later = [write('c'), write('d')];
  await settle();
  expect(await Promise.all([...first, ...later])).toEqual([true, true, true, true]);
  expect(groups).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
});

test('no transaction has more than fifty, and none the same event twice', async () => {
  const { groups, settle, write } = writing();
  const all = Array.from({ length: 120 }, (_, n) => write(`event-${n}`));
  all.push(write('event-0'));
  await settle();
  expect(await Promise.all(all)).toEqual(Array(121).fill(true));
  expect(groups.every((group) => group.length <= 50 && new Set(group).size === group.length)).toBe(true);
  expect(groups.flat().filter((id) => id === 'event-0')).toHaveLength(2);
});

test('where somebody else was first with one, nothing is written and each is told to go alone', async () => {
  const { settle, write } = writing();
  const all = [write('a'), write('changed meanwhile')];
  await settle();
  expect(await Promise.all(all)).toEqual([false, false]);
});

test('so it is where the commit met another transaction', async () => {
  const { settle, write } = writing({ fail: () => new Contended('another was first') });
  const all = [write('a'), write('b')];
  await settle();
  expect(await Promise.all(all)).toEqual([false, false]);
});

test('a commit that nobody knows the end of is an error for everyone in it, and is not tried again', async () => {
  const { groups, settle, write } = writing({ fail: () => new Error('no answer') });
  const all = Promise.allSettled([write('a'), write('b')]);
  await settle();
  expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(groups).toHaveLength(1);
});

test('an operation whose group came to nothing is planned anew, within a transaction of its own', async () => {
  const plannedIn: string[] = [];
  const done = await carryOut(
    {
      together: async () => false,
      transact: async (work: (tx: Tx) => Promise<unknown>) => work({} as Tx),
      events: { replaceMany: async () => true },
      facts: { record: async () => [] },
      keepInStep: async () => {},
    } as never,
    async (tx) => {
      plannedIn.push(tx ? 'transaction' : 'plain reads');
      return [changeOf('a')];
    },
  );
  expect(done.title).toBe('New');
  expect(plannedIn).toEqual(['plain reads', 'transaction']);
});
