import { expect, test } from 'vitest';
import { createBatchLoader } from '../../src/core/micro-batch.ts';

/** A store whose answers the test triggers; records the ids of each query. */
function controlledStore() {
  const asked: string[][] = [];
  const answers: ((fault?: Error) => void)[] = [];
  const ask = (ids: readonly string[]) =>
    new Promise<{ id: string }[]>((resolve, reject) => {
      asked.push([...ids]);
      answers.push((fault) =>
        fault ? reject(fault) : resolve(ids.filter((id) => id !== 'none').map((id) => ({ id }))),
      );
    });
  return { asked, answers, find: createBatchLoader(ask) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('loads ids that are asked for during a query with the next query', async () => {
  const { asked, answers, find } = controlledStore();
  const first = find(['a']);
  await settled();
  const second = find(['b', 'none']);
  const third = find(['a', 'c']);
  await settled();
  expect(asked).toEqual([['a']]);
  answers[0]?.();
  expect(await first).toEqual([{ id: 'a' }]);
  await settled();
  expect(asked).toEqual([['a'], ['b', 'none', 'a', 'c']]);
  answers[1]?.();
  expect(await second).toEqual([{ id: 'b' }]);
  expect(await third).toEqual([{ id: 'a' }, { id: 'c' }]);
});

test('rejects only the calls of a failed query and runs the next one', async () => {
  const { asked, answers, find } = controlledStore();
  const first = find(['a']);
  await settled();
  const second = find(['b']);
  answers[0]?.(new Error('unavailable'));
  await expect(first).rejects.toThrow('unavailable');
  await settled();
  expect(asked).toEqual([['a'], ['b']]);
  answers[1]?.();
  expect(await second).toEqual([{ id: 'b' }]);
});
