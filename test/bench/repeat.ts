/** Does the work `count` times, `inFlight` at a time. @returns milliseconds */
export async function repeat(count: number, inFlight: number, work: (n: number) => Promise<unknown>): Promise<number> {
  const from = performance.now();
  let next = 0;
  const one = async () => {
    for (let n = next++; n < count; n = next++) await work(n);
  };
  await Promise.all(Array.from({ length: inFlight }, one));
  return performance.now() - from;
}
