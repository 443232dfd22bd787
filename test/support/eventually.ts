import { setTimeout as delay } from 'node:timers/promises';

/** The first pause between two questions; each is half as long again as the one before, up to the longest. */
const FIRST_MS = 25;
const LONGEST_MS = 250;

/** Asks until the answer is true; the only way tests wait for work of other processes. */
export async function eventually(
  what: string,
  check: () => Promise<boolean> | boolean,
  withinMs = 60_000,
): Promise<void> {
  const until = Date.now() + withinMs;
  for (let pause = FIRST_MS; !(await check()); pause = Math.min(1.5 * pause, LONGEST_MS)) {
    if (Date.now() > until) throw new Error(`not within ${withinMs} ms: ${what}`);
    await delay(pause);
  }
}
