/**
 * Limits how much runs at the same time, for each key and over all keys, so that work for a slow key takes no slots from
 * others.
 */
export function createSlots({ perKey, overall }: { perKey: number; overall: number }) {
  const used = new Map<string, number>();
  const running = new Set<Promise<void>>();
  return {
    /** Starts `work` in a slot of the key, unless none is free. `work` must not reject. */
    start(key: string, work: () => Promise<void>): void {
      const taken = used.get(key) ?? 0;
      if (taken >= perKey || running.size >= overall) return;
      used.set(key, taken + 1);
      const run = work().finally(() => {
        running.delete(run);
        const left = (used.get(key) ?? 1) - 1;
        if (left === 0) used.delete(key);
        else used.set(key, left);
      });
      running.add(run);
    },
    /** Resolves when nothing runs. */
    idle: async (): Promise<void> => void (await Promise.all(running)),
  };
}
