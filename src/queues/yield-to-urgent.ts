/** The longest bulk waits for urgent work at one time: an endless stream of it must not stop everything else. */
const LONGEST_MS = 1_000;

/** Within one process: who has it goes first, and the others wait between two steps of theirs. */
export function rightOfWay() {
  let holders = 0;
  const waiting = new Set<() => void>();
  return {
    async take<T>(work: () => Promise<T>): Promise<T> {
      holders += 1;
      try {
        return await work();
      } finally {
        holders -= 1;
        if (holders === 0) for (const go of [...waiting]) go();
      }
    },
    give(): Promise<void> {
      if (holders === 0) return Promise.resolve();
      return new Promise((resolve) => {
        const go = () => {
          clearTimeout(timer);
          waiting.delete(go);
          resolve();
        };
        const timer = setTimeout(go, LONGEST_MS);
        waiting.add(go);
      });
    },
  };
}
