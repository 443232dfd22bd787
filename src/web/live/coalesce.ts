const SOON_MS = 50;

/** Coalesces calls: passes them to `flush` as one batch, soon after the first and at most once every `ms`. */
export function coalesce<T = void>(ms: number, flush: (batch: T[]) => void): (one: T) => void {
  let pending: T[] = [];
  let last = Number.NEGATIVE_INFINITY;
  const run = () => {
    const batch = pending;
    pending = [];
    last = performance.now();
    flush(batch);
  };
  return (one) => {
    pending.push(one);
    if (pending.length === 1) setTimeout(run, Math.max(SOON_MS, last + ms - performance.now()));
  };
}
