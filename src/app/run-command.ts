import { isStarted } from './define-worker.ts';

/** What a command prints, and its exit code; 0 by default. */
type Printed = { lines: readonly string[]; code?: number };

/** Runs `src/cli/NAME` if its file is the main module. An error is printed, and the exit code is `failed`. */
export async function runCommand(
  name: string,
  failed: number,
  run: (args: string[]) => Promise<Printed>,
): Promise<void> {
  if (!isStarted(`src/cli/${name}`)) return;
  try {
    const { lines, code = 0 } = await run(process.argv.slice(2));
    process.stdout.write(`${lines.join('\n')}\n`);
    process.exit(code);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exit(failed);
  }
}
