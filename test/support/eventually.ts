import { setTimeout as delay } from 'node:timers/promises';

/** Asks until the answer is true; the only way tests wait for work of other processes. */
export async function eventually(
  what: string,
  check: () => Promise<boolean> | boolean,
  withinMs = 60_000,
): Promise<void> {
  const until = Date.now() + withinMs;
  while (!(await check())) {
    if (Date.now() > until) throw new Error(`not within ${withinMs} ms: ${what}`);
    await delay(100);
  }
}
