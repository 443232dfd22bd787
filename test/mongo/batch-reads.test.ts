import { expect, test } from 'vitest';
import { batchReads } from '../../src/mongo/batch-reads.ts';

function asking(known: Record<string, string[]>) {
  const questions: string[] = [];
  const find = batchReads<string, { id: string }>(
    (part) => part,
    async (part, ids) => {
      questions.push(`${part}: ${ids.length > 9 ? ids.length : ids}`);
      if (part === 'broken') throw new Error('no answer');
      return new Map(ids.filter((id) => known[part]?.includes(id)).map((id) => [id, () => ({ id })]));
    },
  );
  return { questions, find };
}

test('reads of one tick share a query without duplicates', async () => {
  const { questions, find } = asking({ school: ['a', 'b'] });
  const found = await Promise.all([find('school', 'a'), find('school', 'b'), find('school', 'c'), find('school', 'a')]);
  expect(found).toEqual([{ id: 'a' }, { id: 'b' }, null, { id: 'a' }]);
  expect(found[0]).not.toBe(found[3]);
  expect(await find('school', 'b')).toEqual({ id: 'b' });
  expect(questions).toEqual(['school: a,b,c', 'school: b']);
});

test('reads of two schools never share a query or a result', async () => {
  const { questions, find } = asking({ one: ['a'], other: ['b'] });
  expect(await Promise.all([find('one', 'a'), find('other', 'a'), find('other', 'b')])).toEqual([
    { id: 'a' },
    null,
    { id: 'b' },
  ]);
  expect(questions).toEqual(['one: a', 'other: a,b']);
});

test('a large batch becomes several queries', async () => {
  const { questions, find } = asking({});
  await Promise.all(Array.from({ length: 250 }, (_, n) => find('school', String(n))));
  expect(questions).toEqual(['school: 100', 'school: 100', 'school: 50']);
});

test('a failed query fails only its own callers', async () => {
  const { find } = asking({ school: ['a'] });
  const all = await Promise.allSettled([find('broken', 'a'), find('broken', 'b'), find('school', 'a')]);
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
});
