/** The only source of the current time: slices take a clock so that tests can set it. */
export type Clock = { now(): Date };

/** Resolves as `work`, or as `late` if `work` takes longer than `ms`. Leaves no timer behind. */
export async function within<T>(ms: number, work: Promise<T>, late: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const isOver = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    return await Promise.race([work, isOver.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
