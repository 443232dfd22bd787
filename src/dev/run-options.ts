import { parseArgs } from 'node:util';

export type RunOptions = { once: boolean; metrics: boolean; port?: number };

/** Reads the options of `npm run demo` and `npm run dev`; null after printing the usage. */
export function readRunOptions(usage: string): RunOptions | null {
  try {
    const { values } = parseArgs({
      options: {
        ...(usage.includes('--once') ? { once: { type: 'boolean', default: false } as const } : {}),
        metrics: { type: 'boolean', default: false },
        port: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    const { once, metrics = false, port, help } = values as Partial<RunOptions> & { port?: string; help?: boolean };
    if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) < 65_536))
      throw new Error('--port must be a number from 1 to 65535');
    if (!help) return { once: once ?? false, metrics, ...(port ? { port: Number(port) } : {}) };
    process.stdout.write(usage);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}`);
    process.exitCode = 1;
  }
  return null;
}
