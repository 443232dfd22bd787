import type { Usage } from './usage.ts';

/** Prints how long it took and what every process used for it. */
export function report(
  what: string,
  count: number,
  ms: number,
  before: Record<string, Usage>,
  after: Record<string, Usage>,
): void {
  console.log(`${what}: ${Math.round(ms)} ms, ${Math.round((count / ms) * 1000)}/s`);
  const rows = Object.entries(after).map(([name, { cpuSeconds, peakMb }]) => {
    const cpu = cpuSeconds - (before[name]?.cpuSeconds ?? 0);
    return [name, { 'CPU s': Number(cpu.toFixed(2)), 'peak MB': Math.round(peakMb) }];
  });
  console.table(Object.fromEntries(rows));
}
