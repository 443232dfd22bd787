export interface KeptMessages<T> {
  /** The latest messages, oldest first. */
  readonly latest: readonly T[];
  /** All that ever came, kept or not. */
  readonly count: number;
  add(message: T): void;
  /** The first kept message that fits, or the next one to come; rejects after `timeoutMs`, 10 s by default. */
  waitFor(predicate: (message: T) => boolean, options?: { timeoutMs?: number }): Promise<T>;
  /** Resolves when at least this many messages have come; rejects after `timeoutMs`, 10 s by default. */
  waitForCount(count: number, options?: { timeoutMs?: number }): Promise<void>;
  /** Forgets the messages and the count. */
  clear(): void;
}

const WAIT_MS = 10_000;

/** Keeps the latest `limit` messages in memory, and wakes those who wait for one. */
export function keepMessages<T>(limit = 5_000): KeptMessages<T> {
  let latest: T[] = [];
  let count = 0;
  const waiting = new Set<(message: T) => void>();

  function wait<R>(settled: (message: T) => R | undefined, what: () => string, timeoutMs = WAIT_MS): Promise<R> {
    return new Promise((resolve, reject) => {
      const look = (message: T) => {
        try {
          const result = settled(message);
          if (result !== undefined) done(() => resolve(result));
        } catch (error) {
          done(() => reject(error));
        }
      };
      const timer = setTimeout(() => done(() => reject(new Error(what()))), timeoutMs);
      const done = (settle: () => void) => {
        clearTimeout(timer);
        waiting.delete(look);
        settle();
      };
      waiting.add(look);
    });
  }

  return {
    get latest() {
      return latest.slice(-limit);
    },
    get count() {
      return count;
    },
    add(message) {
      count++;
      latest.push(message);
      // Cut in halves, so that a long run doesn't move the whole list with every message.
      if (latest.length >= limit * 2) latest = latest.slice(-limit);
      for (const look of [...waiting]) look(message);
    },
    async waitFor(predicate, { timeoutMs } = {}) {
      const known = latest.find(predicate);
      if (known !== undefined) return known;
      const { found } = await wait(
        (message) => (predicate(message) ? { found: message } : undefined),
        () => `no such message came; ${count} in all`,
        timeoutMs,
      );
      return found;
    },
    async waitForCount(wanted, { timeoutMs } = {}) {
      if (count >= wanted) return;
      await wait(
        () => (count >= wanted ? true : undefined),
        () => `${count} of ${wanted} messages came`,
        timeoutMs,
      );
    },
    clear() {
      latest = [];
      count = 0;
    },
  };
}
