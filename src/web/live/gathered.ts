const SOON_MS = 50;

/** What comes is handed on together, soon after the first and not more often than every `ms`. */
export function gathered<T = void>(ms: number, handOn: (all: T[]) => void): (one: T) => void {
  let waiting: T[] = [];
  let last = Number.NEGATIVE_INFINITY;
  const flush = () => {
    const all = waiting;
    waiting = [];
    last = performance.now();
    handOn(all);
  };
  return (one) => {
    waiting.push(one);
    if (waiting.length === 1) setTimeout(flush, Math.max(SOON_MS, last + ms - performance.now()));
  };
}
