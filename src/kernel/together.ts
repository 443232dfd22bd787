/**
 * Puts questions that are asked at about the same time into one: whoever asks while one is under way is answered by the
 * next, which begins after they have asked, so that no answer is older than its asking.
 */
export function together<T extends { id: string }>(
  ask: (ids: readonly string[]) => Promise<readonly T[]>,
): (ids: readonly string[]) => Promise<T[]> {
  type Question = { ids: Set<string>; answer: Promise<ReadonlyMap<string, T>> };
  let next: Question | null = null;
  let underWay: Promise<unknown> = Promise.resolve();

  function question(): Question {
    const ids = new Set<string>();
    const answer = underWay.then(async () => {
      next = null;
      return new Map((await ask([...ids])).map((one) => [one.id, one]));
    });
    underWay = answer.catch(() => {});
    return { ids, answer };
  }

  return async (ids) => {
    next ??= question();
    for (const id of ids) next.ids.add(id);
    const found = await next.answer;
    return ids.flatMap((id) => found.get(id) ?? []);
  };
}
