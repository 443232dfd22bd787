import { expect, test } from 'vitest';
import { createLoader } from '../../src/core/micro-batch.ts';

/** A store whose answers the test triggers; records the keys of each query. */
function controlledStore() {
  const asked: string[] = [];
  const answers: ((fault?: Error) => void)[] = [];
  const load = createLoader(
    (part: string) => part,
    (part, ids: readonly string[]) =>
      new Promise<(id: string) => string>((resolve, reject) => {
        asked.push(`${part}: ${ids}`);
        answers.push((fault) => (fault ? reject(fault) : resolve((id) => `${part} ${id}`)));
      }),
  );
  return { asked, answers, load };
}

/** A batch starts in the next turn of the event loop, and ends in the one after its answer. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

test('loads keys that are asked for in one turn of the event loop with one query', async () => {
  const { asked, load } = controlledStore();
  void load('one', 'a');
  await Promise.resolve();
  void load('one', 'b');
  await settled();
  expect(asked).toEqual(['one: a,b']);
});

test('loads keys that are asked for during a query with the next one, each once and apart by school', async () => {
  const { asked, answers, load } = controlledStore();
  const first = load('one', 'a');
  await settled();
  const next = ['b', 'a', 'b'].map((id) => load('one', id));
  const other = load('other', 'a');
  await settled();
  expect(asked).toEqual(['one: a']);
  answers[0]?.();
  expect(await first).toBe('one a');
  await settled();
  expect(asked).toEqual(['one: a', 'one: b,a', 'other: a']);
  answers[1]?.();
  answers[2]?.();
  expect(await Promise.all([...next, other])).toEqual(['one b', 'one a', 'one b', 'other a']);
});

test('rejects only the loads of a failed query and runs the next one', async () => {
  const { answers, load } = controlledStore();
  const broken = load('broken', 'a');
  const good = load('good', 'a');
  await settled();
  answers[0]?.(new Error('unavailable'));
  answers[1]?.();
  await expect(broken).rejects.toThrow('unavailable');
  expect(await good).toBe('good a');
  const again = load('broken', 'a');
  await settled();
  answers[2]?.();
  expect(await again).toBe('broken a');
});
