/**
 * Puts what is to be done at about the same time into one: who comes while one batch is under way goes with the next,
 * which begins after they have come. A batch that fails fails for those in it alone.
 * @param empty a batch to add to
 * @returns takes what adds to a batch, and answers what became of that batch
 */
export function inBatches<Batch, Result>(
  empty: () => Batch,
  run: (batch: Batch) => Promise<Result>,
): (add: (batch: Batch) => void) => Promise<Result> {
  let next: { batch: Batch; result: Promise<Result> } | null = null;
  let underWay: Promise<unknown> = Promise.resolve();

  function begin() {
    const batch = empty();
    const result = underWay.then(() => {
      next = null;
      return run(batch);
    });
    underWay = result.catch(() => {});
    return { batch, result };
  }

  return (add) => {
    next ??= begin();
    add(next.batch);
    return next.result;
  };
}

/** Puts questions for records into one, as `inBatches` does: no answer is older than its asking. */
export function together<T extends { id: string }>(
  ask: (ids: readonly string[]) => Promise<readonly T[]>,
): (ids: readonly string[]) => Promise<T[]> {
  const asked = inBatches(
    () => new Set<string>(),
    async (ids) => new Map((await ask([...ids])).map((one) => [one.id, one])),
  );
  return async (ids) => {
    const found = await asked((all) => {
      for (const id of ids) all.add(id);
    });
    return ids.flatMap((id) => found.get(id) ?? []);
  };
}
