/** A semaphore that urgent work passes first. */
export type Slots = {
  /** Waits until `count` slots are free, then takes them. @param count at most `total`, for bulk `total - reserved` */
  take(count: number, urgent: boolean): Promise<void>;
  release(count: number, urgent: boolean): void;
};

type Waiting = { count: number; go: () => void };

/** @param reserved how many of the slots only urgent work may take, so that bulk that hangs never holds all of them */
export function slots(total: number, reserved = 0): Slots {
  const waiting: Record<'urgent' | 'bulk', Waiting[]> = { urgent: [], bulk: [] };
  let taken = 0;
  let takenByBulk = 0;

  function admit(): void {
    while (admitFirst('urgent') || (waiting.urgent.length === 0 && admitFirst('bulk')));
  }

  function admitFirst(priority: 'urgent' | 'bulk'): boolean {
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
    take: (count, urgent) =>
      new Promise((go) => {
        waiting[urgent ? 'urgent' : 'bulk'].push({ count, go });
        admit();
      }),
    release(count, urgent) {
      taken -= count;
      if (!urgent) takenByBulk -= count;
      admit();
    },
  };
}
