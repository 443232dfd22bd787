/**
 * Creates a semaphore: at most `permits` calls run at a time, the others wait in order. Waiting calls have allocated
 * nothing yet, so thousands of messages in progress cost the memory of a few dozen.
 */
export function createSemaphore(permits: number): <T>(work: () => Promise<T>) => Promise<T> {
  let taken = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (taken < permits) taken += 1;
    else await new Promise<void>((go) => waiting.push(go));
    try {
      return await work();
    } finally {
      // Pass the permit on without releasing it: a new call must not overtake those that wait.
      const next = waiting.shift();
      if (next) next();
      else taken -= 1;
    }
  };
}
