/**
 * Creates a lock that skips work instead of waiting.
 * @returns a function that runs `work` unless other work is running, and says if it ran
 */
export function createTryLock(): (work: () => Promise<void>) => Promise<boolean> {
  let isLocked = false;
  return async (work) => {
    if (isLocked) return false;
    isLocked = true;
    try {
      await work();
      return true;
    } finally {
      isLocked = false;
    }
  };
}
