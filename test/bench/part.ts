import { startChild } from './child.ts';
import type { Run } from './workload.ts';

/** A baseline in its own process. */
export type Part<Input> = { run(input: Input): Promise<Run>; stop(): void };

/** @param file the file, relative to this one, that calls `servePart` */
export function startPart<Input>(file: string, env: Record<string, string> = {}): Part<Input> {
  const child = startChild(file, { env });
  return {
    run: (input) =>
      new Promise((resolve, reject) => {
        const ended = (code: number | null) => reject(new Error(`${file} ended with ${code}`));
        child.once('exit', ended);
        child.once('message', (message: Run) => {
          child.off('exit', ended);
          resolve(message);
        });
        child.send(input as object);
      }),
    stop: () => void child.kill(),
  };
}

/** Called in the part's own file: does one run for each input and reports its usage. */
export function servePart<Input>(work: (input: Input) => Promise<Omit<Run, 'usage'>>): void {
  process.on('message', async (input: Input) => {
    const before = process.cpuUsage();
    const run = await work(input);
    const { user, system } = process.cpuUsage(before);
    const peakMb = process.resourceUsage().maxRSS / 1024;
    process.send?.({ ...run, usage: { part: { cpuSeconds: (user + system) / 1e6, peakMb } } });
  });
  process.once('disconnect', () => process.exit(0));
}
