const SOON_MS = 50;
/** A batch that takes longer hangs, and no longer holds up the next one. */
const HANGS_MS = 20_000;

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/**
 * Coalesces calls: passes them to `flush` as one batch, soon after the first, `ms` after the batch before at the earliest and not
 * before that one is done. Otherwise a long list that changes all the time would begin to load again and again.
 */
export function coalesce<T = void>(ms: number, flush: (batch: T[]) => unknown): (one: T) => void {
  let pending: T[] = [];
  let before: Promise<unknown> = Promise.resolve();
  const run = () => {
    const batch = pending;
    pending = [];
    before = Promise.all([pause(ms), Promise.race([flush(batch), pause(HANGS_MS)])]);
  };
  return (one) => {
    pending.push(one);
    if (pending.length === 1) void before.then(() => setTimeout(run, SOON_MS));
  };
}
