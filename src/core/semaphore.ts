/**
 * Lets so many do their work at a time; who comes then waits in line. What waits has made nothing yet, so that thousands
 * of messages under way cost the memory of some dozens.
 */
export function atMost(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  let taken = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (taken < places) taken += 1;
    else await new Promise<void>((go) => waiting.push(go));
    try {
      return await work();
    } finally {
      // The place goes to the next one as it is.
      const next = waiting.shift();
      if (next) next();
      else taken -= 1;
    }
  };
}
