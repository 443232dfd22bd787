/** Urgent messages go ahead of all bulk, at every step of the message path. */
export const PRIORITIES = ['urgent', 'bulk'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** The facts or groups of one priority. */
export const ofPriority = <T extends { urgent: boolean }>(priority: Priority, all: readonly T[]): T[] =>
  all.filter(({ urgent }) => urgent === (priority === 'urgent'));

type Waiting = { count: number; go: () => void };

export type PrioritySemaphore = ReturnType<typeof createPrioritySemaphore>;

/**
 * A counting semaphore on which urgent work overtakes bulk work.
 * @param reserved permits for urgent work only, so that hanging bulk work never holds all of them
 */
export function createPrioritySemaphore(total: number, reserved = 0) {
  const waiting: Record<Priority, Waiting[]> = { urgent: [], bulk: [] };
  let taken = 0;
  let takenByBulk = 0;

  function admitWaiting(): void {
    while (admitFirst('urgent') || (waiting.urgent.length === 0 && admitFirst('bulk')));
  }

  function admitFirst(priority: Priority): boolean {
    const [first] = waiting[priority];
    if (!first || taken + first.count > total) return false;
    if (priority === 'bulk') {
      if (takenByBulk + first.count > total - reserved) return false;
      takenByBulk += first.count;
    }
    taken += first.count;
    waiting[priority].shift();
    first.go();
    return true;
  }

  return {
    /** Waits for `count` permits and takes them. @param count at most `total`; for bulk work at most `total - reserved` */
    acquire: (count: number, urgent: boolean): Promise<void> =>
      new Promise((go) => {
        waiting[urgent ? 'urgent' : 'bulk'].push({ count, go });
        admitWaiting();
      }),
    release(count: number, urgent: boolean): void {
      taken -= count;
      if (!urgent) takenByBulk -= count;
      admitWaiting();
    },
  };
}

/** Creates a semaphore for work of one priority: at most `permits` calls run at a time, the others wait in order. */
export function createSemaphore(permits: number): <T>(work: () => Promise<T>) => Promise<T> {
  const { acquire, release } = createPrioritySemaphore(permits);
  return async (work) => {
    await acquire(1, false);
    try {
      return await work();
    } finally {
      release(1, false);
    }
  };
}
