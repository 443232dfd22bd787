/**
 * Creates a micro-batcher: calls made while a batch runs join the next one, which starts when the running one ends. A
 * failed batch rejects only the calls in it.
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
    const result = running.then(() => {
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

/** Creates a data loader without a cache: loads by id that are asked for at the same time share one query. */
export function createBatchLoader<T extends { id: string }>(
  load: (ids: readonly string[]) => Promise<readonly T[]>,
): (ids: readonly string[]) => Promise<T[]> {
  const loadBatch = createMicroBatcher(
    () => new Set<string>(),
    async (ids) => new Map((await load([...ids])).map((one) => [one.id, one])),
  );
  return async (ids) => {
    const found = await loadBatch((batch) => {
      for (const id of ids) batch.add(id);
    });
    return ids.flatMap((id) => found.get(id) ?? []);
  };
}
