import { constants } from 'node:os';

/** What a command that runs on a developer's machine needs to end as it should. */
export type Life = {
  /** Aborted when the command is to end. */
  readonly signal: AbortSignal;
  /** Something that was opened; closed at the end, the latest first. */
  own(close: () => Promise<unknown>): void;
  /** Resolves when somebody asks for the end. */
  untilAsked(): Promise<void>;
};

/** npm passes Ctrl-C on, so that it comes twice. */
const ECHO_MS = 1_000;
const SETTLE_MS = 3_000;
const CLOSE_MS = 15_000;

/**
 * Runs a command to its end: its own, or SIGINT, SIGTERM or a closed terminal. Whatever was opened is closed in reverse
 * order; a second signal, or one that hangs, ends the process at once, and what it started ends with it.
 * @param main answers the exit code
 */
export async function live(main: (life: Life) => Promise<number>): Promise<never> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const open: (() => Promise<unknown>)[] = [];
  const asked = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  let code = 1;
  let first: { name: NodeJS.Signals; at: number } | null = null;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (first && (first.name !== name || performance.now() - first.at > ECHO_MS)) process.exit(1);
      first ??= { name, at: performance.now() };
      code = 128 + constants.signals[name];
      stopping.abort();
    });
  }
  const run = main({ signal, own: (close) => void open.push(close), untilAsked: () => asked }).then(
    (answer) => {
      code = answer;
    },
    (error: unknown) => {
      // What was under way fails when it is broken off.
      if (!signal.aborted) process.stderr.write(`\n${error instanceof Error ? error.message : error}\n`);
    },
  );
  await Promise.race([run, asked.then(() => Promise.race([run, after(SETTLE_MS)]))]);
  stopping.abort();
  await Promise.race([closeAll(open), after(CLOSE_MS)]);
  process.exit(code);
}

async function closeAll(open: (() => Promise<unknown>)[]): Promise<void> {
  for (let close = open.pop(); close; close = open.pop()) {
    await close().catch((error: Error) => process.stderr.write(`${error.message}\n`));
  }
}

const after = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
