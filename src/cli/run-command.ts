import { isStarted } from '../core/is-started.ts';

/** The output of a command, and its exit code; 0 by default. */
type Printed = { lines: readonly string[]; code?: number };

type Command = {
  /** printed for `--help`, and after wrong arguments */
  usage: string;
  /** the exit code after an error; 1 by default */
  failed?: number;
  run: (args: string[]) => Promise<Printed>;
};

/** The arguments of a command are wrong; the message names the fault. */
export class WrongArguments extends Error {}

/** Runs `src/cli/NAME` if its file is the main module. */
export async function runCommand(name: string, { usage, failed = 1, run }: Command): Promise<void> {
  if (!isStarted(`src/cli/${name}`)) return;
  const args = process.argv.slice(2);
  try {
    const isHelp = args.includes('--help') || args.includes('-h');
    const { lines, code = 0 } = isHelp ? { lines: [usage.trimEnd()] } : await run(args);
    process.stdout.write(`${lines.join('\n')}\n`);
    process.exit(code);
  } catch (error) {
    process.stderr.write(
      `${error instanceof Error ? error.message : error}\n${isAboutArguments(error) ? `\n${usage}` : ''}`,
    );
    process.exit(failed);
  }
}

/** Whether `WrongArguments` or `parseArgs` of Node refused the arguments. */
const isAboutArguments = (error: unknown): boolean =>
  error instanceof WrongArguments || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true;
