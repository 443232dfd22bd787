/** Urgent messages go ahead of all bulk, at every step of the message path. */
export const PRIORITIES = ['urgent', 'bulk'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** The facts or groups of one priority. */
export const ofPriority = <T extends { urgent: boolean }>(priority: Priority, all: readonly T[]): T[] =>
  all.filter(({ urgent }) => urgent === (priority === 'urgent'));

type Waiting = { count: number; go: (release: Release) => void };

/** Releases permits: `count` of those that are left, by default all. */
export type Release = (count?: number) => void;

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
    first.go(releaseOf(first.count, priority));
    return true;
  }

  function releaseOf(count: number, priority: Priority): Release {
    let held = count;
    return (wanted = held) => {
      const released = Math.min(wanted, held);
      held -= released;
      taken -= released;
      if (priority === 'bulk') takenByBulk -= released;
      admitWaiting();
    };
  }

  return {
    /** Waits for `count` permits and takes them. @param count at most `total`; for bulk work at most `total - reserved` */
    acquire: (count: number, urgent: boolean): Promise<Release> =>
      new Promise((go) => {
        waiting[urgent ? 'urgent' : 'bulk'].push({ count, go });
        admitWaiting();
      }),
  };
}

/** Creates a semaphore for work of one priority: at most `permits` calls run at a time, the others wait in order. */
export function createSemaphore(permits: number): <T>(work: () => Promise<T>) => Promise<T> {
  const { acquire } = createPrioritySemaphore(permits);
  return async (work) => {
    const release = await acquire(1, false);
    return work().finally(release);
  };
}
