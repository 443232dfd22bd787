import { byId } from './groups.ts';

/**
 * Creates a micro-batcher: calls made while a batch runs join the next one, which starts when the running one ends. The
 * calls of one turn of the event loop share a batch. A failed batch rejects only the calls in it.
 * @param emptyBatch creates a batch to add to
 * @returns a function that lets its caller add to the open batch, and resolves to the result of that batch
 */
export function createMicroBatcher<Batch, Result>(
  emptyBatch: () => Batch,
  run: (batch: Batch) => Promise<Result>,
): (add: (batch: Batch) => void) => Promise<Result> {
  let open: { batch: Batch; result: Promise<Result> } | null = null;
  let running: Promise<unknown> = Promise.resolve();

  function openBatch() {
    const batch = emptyBatch();
    const result = running.then(nextTurn).then(() => {
      open = null;
      return run(batch);
    });
    running = result.catch(() => {});
    return { batch, result };
  }

  return (add) => {
    open ??= openBatch();
    add(open.batch);
    return open.result;
  };
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Items that take some ten milliseconds. */
const TURN = 200;

/** Calls `work` with each item, in turns of the event loop: the process does other work between them. */
export async function inTurns<T>(all: Iterable<T>, work: (item: T) => void): Promise<void> {
  let done = 0;
  for (const item of all) {
    work(item);
    done += 1;
    if (done % TURN === 0) await nextTurn();
  }
}

/**
 * Creates a data loader without a cache: loads that are asked for while a query runs share the next one. Each part (a
 * school, for example) has a query of its own, whose failure rejects only the loads of that part.
 * @param load runs one query and resolves to a function from key to result
 */
export function createLoader<Part, Key, T>(
  nameOf: (part: Part) => string,
  load: (part: Part, keys: readonly Key[]) => Promise<(key: Key) => T>,
): (part: Part, key: Key) => Promise<T> {
  const runQueries = createMicroBatcher(
    () => new Map<string, { part: Part; keys: Set<Key> }>(),
    async (batch) => {
      const queries = new Map([...batch].map(([name, { part, keys }]) => [name, load(part, [...keys])]));
      await Promise.allSettled(queries.values());
      return queries;
    },
  );
  return async (part, key) => {
    const name = nameOf(part);
    const queries = await runQueries((batch) => {
      const query = batch.get(name) ?? { part, keys: new Set() };
      batch.set(name, query);
      query.keys.add(key);
    });
    const resultOf = await queries.get(name);
    return (resultOf as (key: Key) => T)(key);
  };
}

/** Lets concurrent calls of a query by ids share one query. The order of the results is that of the ids. */
export function shareFinds<T extends { id: string }>(
  findMany: (ids: readonly string[]) => Promise<T[]>,
): (ids: readonly string[]) => Promise<T[]> {
  const load = createLoader(
    () => '',
    async (_: null, ids: readonly string[]) => {
      const found = byId(await findMany(ids));
      return (id: string) => found.get(id) ?? null;
    },
  );
  return async (ids) => (await Promise.all(ids.map((id) => load(null, id)))).filter((one) => one !== null);
}
