import { readFileSync } from 'node:fs';

/** CPU, memory and peak memory of a process so far, from Linux's /proc. */
export type Usage = { cpuSeconds: number; mb: number; peakMb: number };

const TICKS_PER_SECOND = 100;

export function usageOf(pid: number): Usage {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mbOf = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024;
  const cpuSeconds = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  return { cpuSeconds, mb: mbOf('VmRSS'), peakMb: mbOf('VmHWM') };
}
