/** Ids per query. */
const BATCH = 100;

type Pending<T> = { resolve(found: T | null): void; reject(error: unknown): void };

/**
 * A data loader: look-ups by id within one turn of the event loop share one query, never across parts (schools). Each
 * caller gets its own copy of the record.
 * @param ask queries one part; returns a factory per existing id
 */
export function batchReads<Part, T>(
  nameOf: (part: Part) => string,
  ask: (part: Part, ids: readonly string[]) => Promise<ReadonlyMap<string, () => T>>,
): (part: Part, id: string) => Promise<T | null> {
  const waiting = new Map<string, Map<string, Pending<T>[]>>();

  const answer = (part: Part, some: readonly (readonly [string, readonly Pending<T>[]])[]) =>
    ask(
      part,
      some.map(([id]) => id),
    ).then(
      (found) => {
        for (const [id, pending] of some) for (const { resolve } of pending) resolve(found.get(id)?.() ?? null);
      },
      (error) => {
        for (const [, pending] of some) for (const { reject } of pending) reject(error);
      },
    );

  return (part, id) =>
    new Promise((resolve, reject) => {
      const name = nameOf(part);
      let wanted = waiting.get(name);
      if (!wanted) {
        const all = new Map<string, Pending<T>[]>();
        wanted = all;
        waiting.set(name, all);
        setImmediate(() => {
          waiting.delete(name);
          const some = [...all];
          for (let n = 0; n < some.length; n += BATCH) void answer(part, some.slice(n, n + BATCH));
        });
      }
      const others = wanted.get(id);
      if (others) others.push({ resolve, reject });
      else wanted.set(id, [{ resolve, reject }]);
    });
}
