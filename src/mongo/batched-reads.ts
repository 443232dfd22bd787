/** Ids asked for in one question; more are several. */
const TOGETHER = 100;

type Asked<T> = { resolve(found: T | null): void; reject(error: unknown): void };

/**
 * Looks things up by id, and asks for all that are wanted in one turn of the event loop in one question, so that the
 * requests of one moment share a round trip to the database. Everyone gets a record of their own.
 * @param ask answers for those of the ids that exist, within the part they were asked for in; parts are never mixed
 */
export function gathered<Part, T>(
  nameOf: (part: Part) => string,
  ask: (part: Part, ids: readonly string[]) => Promise<ReadonlyMap<string, () => T>>,
): (part: Part, id: string) => Promise<T | null> {
  const waiting = new Map<string, Map<string, Asked<T>[]>>();

  const answer = (part: Part, some: readonly (readonly [string, readonly Asked<T>[]])[]) =>
    ask(
      part,
      some.map(([id]) => id),
    ).then(
      (found) => {
        for (const [id, asked] of some) for (const { resolve } of asked) resolve(found.get(id)?.() ?? null);
      },
      (error) => {
        for (const [, asked] of some) for (const { reject } of asked) reject(error);
      },
    );

  return (part, id) =>
    new Promise((resolve, reject) => {
      const name = nameOf(part);
      let wanted = waiting.get(name);
      if (!wanted) {
        const all = new Map<string, Asked<T>[]>();
        wanted = all;
        waiting.set(name, all);
        setImmediate(() => {
          waiting.delete(name);
          const some = [...all];
          for (let n = 0; n < some.length; n += TOGETHER) void answer(part, some.slice(n, n + TOGETHER));
        });
      }
      const others = wanted.get(id);
      if (others) others.push({ resolve, reject });
      else wanted.set(id, [{ resolve, reject }]);
    });
}
