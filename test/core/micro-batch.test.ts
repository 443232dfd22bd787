import { expect, test } from 'vitest';
import { together } from '../../src/core/micro-batch.ts';

/** Answers when told to, and remembers what it was asked. */
function oracle() {
  const asked: string[][] = [];
  const answers: ((fault?: Error) => void)[] = [];
  const ask = (ids: readonly string[]) =>
    new Promise<{ id: string }[]>((resolve, reject) => {
      asked.push([...ids]);
      answers.push((fault) =>
        fault ? reject(fault) : resolve(ids.filter((id) => id !== 'none').map((id) => ({ id }))),
      );
    });
  return { asked, answers, find: together(ask) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('whoever asks while a question is under way is answered by the next one', async () => {
  const { asked, answers, find } = oracle();
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

test('a question that fails fails for those who asked it, and the next one is asked', async () => {
  const { asked, answers, find } = oracle();
  const first = find(['a']);
  await settled();
  const second = find(['b']);
  answers[0]?.(new Error('away'));
  await expect(first).rejects.toThrow('away');
  await settled();
  expect(asked).toEqual([['a'], ['b']]);
  answers[1]?.();
  expect(await second).toEqual([{ id: 'b' }]);
});
