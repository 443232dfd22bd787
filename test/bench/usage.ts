import { readFileSync } from 'node:fs';

/** CPU and peak memory of a process so far, from Linux's /proc. */
export type Usage = { cpuSeconds: number; peakMb: number };

const TICKS_PER_SECOND = 100;

export function usageOf(pid: number): Usage {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
  return { cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND, peakMb: Number(peak) / 1024 };
}
