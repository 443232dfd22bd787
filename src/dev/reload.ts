import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importedFiles } from '../build/imported-files.ts';
import { QUEUE_OF } from '../queues/names.ts';
import type { Lifetime } from './lifetime.ts';
import { scriptOf } from './product-process.ts';
import type { Progress } from './progress.ts';
import { runCommand } from './services/run-command.ts';
import type { ProcessName, System } from './system.ts';
import { watchFolders } from './watch-folders.ts';

const TOP = fileURLToPath(new URL('../../../', import.meta.url));
const SOURCES = ['src', 'workers', 'templates'];
/** State of incremental builds. */
const MEMORY = join(TOP, 'dist', '.tsbuildinfo');
const SENDERS: readonly ProcessName[] = Object.values(QUEUE_OF);
/** An editor writes several files at once. */
const QUIET_MS = 150;

/** Builds after every change of a source and restarts the processes whose files have changed. */
export function reloadOnChange(lifetime: Lifetime, system: System, progress: Progress): void {
  const names = [...new Set(system.processes.map(({ name }) => name as ProcessName))];
  const digests = new Map<string, string>();
  const changed = (file: string): boolean => {
    const before = digests.get(file);
    const now = digestOf(file);
    digests.set(file, now);
    return before !== now;
  };
  for (const name of names) for (const file of filesOf(name)) changed(file);
  // Another build may have run since the last one.
  rmSync(MEMORY, { force: true });

  async function rebuild(): Promise<void> {
    if (lifetime.signal.aborted) return;
    await progress.step('Build', build);
    const files = new Map(names.map((name) => [name, filesOf(name)]));
    const fresh = new Set([...new Set([...files.values()].flat())].filter(changed));
    const old = names.filter((name) => files.get(name)?.some((file) => fresh.has(file)));
    if (old.length === 0 || lifetime.signal.aborted) return;
    await progress.step(`Restart: ${old.join(', ')}`, async () => {
      await Promise.all(old.map((name) => system.restart(name)));
    });
  }
  const debounced = debounce(() => rebuild().catch((error: Error) => progress.print(error.message)));
  const watcher = watchFolders(
    SOURCES.map((folder) => join(TOP, folder)),
    debounced.soon,
  );
  lifetime.onEnd(async () => {
    watcher.close();
    await debounced.done();
  });
}

/** @throws Error with the output of the compiler */
async function build(): Promise<void> {
  const bin = (name: string) => join(TOP, 'node_modules', '.bin', name);
  const compiler = ['--project', TOP, '--incremental', '--tsBuildInfoFile', MEMORY];
  const texts = [join(TOP, 'src/build/compile-texts.ts')];
  for (const [command, args] of [[bin('tsc'), compiler] as const, [bin('tsx'), texts] as const]) {
    const { ok, stdout, stderr } = await runCommand(command, args, { timeoutMs: 120_000 });
    if (!ok) throw new Error((stdout || stderr).trim());
  }
}

/** The built files of a process, and the compiled texts if it sends messages. */
const filesOf = (name: ProcessName): string[] => [
  ...importedFiles(scriptOf(name)),
  ...(SENDERS.includes(name) ? [join(TOP, 'dist', 'texts.json')] : []),
];

function digestOf(file: string): string {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  } catch {
    return '';
  }
}

/** Debounces `work` and never runs it twice at a time. */
function debounce(work: () => Promise<void>): { soon(): void; done(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let last = Promise.resolve();
  return {
    soon() {
      clearTimeout(timer);
      timer = setTimeout(() => {
        last = last.then(work);
      }, QUIET_MS);
    },
    async done() {
      clearTimeout(timer);
      await last;
    },
  };
}
