import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { context, type Plugin } from 'esbuild';
import { BUNDLE, TOP } from '../build/bundle-options.ts';
import { filesBelow } from '../channels/templates/template-files.ts';
import { hashOf } from '../core/ids.ts';
import { type Lifetime, type RunOptions, readRunOptions, runUntilStopped } from './lifetime.ts';
import { printAddresses, startLocalSchool } from './local-school.ts';
import { scriptOf } from './product-process.ts';
import { type Progress, progressOn } from './progress.ts';
import { DEMO_SCOPE } from './school/demo-person.ts';
import type { ProcessName, System } from './system.ts';
import { permissionsOf } from './token-claims.ts';

const USAGE = `npm run dev -- [--port N] [--metrics]

Starts the API, every worker and stand-ins for the providers. A change in src, workers or templates is built, and the
processes that use it restart. These settings are taken from the environment: JWT_SECRET, JWT_ISSUER, JWT_AUDIENCE,
BOUNCE_SECRET, REPLY_DOMAIN, WEBHOOK_ALLOWED_ORIGINS.

  --port N   the port of the API, 3000 by default
  --metrics  serve /metrics of every process, each on a port of its own
`;

const TAKEN = ['JWT_SECRET', 'JWT_ISSUER', 'JWT_AUDIENCE', 'BOUNCE_SECRET', 'REPLY_DOMAIN', 'WEBHOOK_ALLOWED_ORIGINS'];

async function dev(lifetime: Lifetime, { port = 3000, metrics }: RunOptions): Promise<number> {
  const progress = progressOn(process.stdout, process.env);
  progress.heading('Schoolbell, with reload');
  const given = TAKEN.map((name) => [name, process.env[name] ?? '']).filter(([, value]) => value !== '');
  const school = await startLocalSchool(lifetime, progress, { port, metrics, env: Object.fromEntries(given) });
  await reloadOnChange(lifetime, school.system, progress);
  const roles = ['admin', 'staff'] as const;
  const staff = { ...DEMO_SCOPE, user_id: 'staff-1', roles, permissions: permissionsOf('admin') };
  printAddresses(school, await school.system.token(staff), '/me/inbox', progress);
  await lifetime.untilStopped();
  return 0;
}

const TEMPLATES = join(TOP, 'templates');

/** Bundles after every change of a source or template and restarts the processes whose code or texts have changed. */
async function reloadOnChange(lifetime: Lifetime, system: System, progress: Progress): Promise<void> {
  const names = [...new Set(system.processes.map(({ name }) => name as ProcessName))];
  let running: ReadonlyMap<ProcessName, string> | undefined;

  async function restartChanged(): Promise<void> {
    // The name of a chunk contains its hash, so a process has changed if and only if its first file has.
    const built = new Map(names.map((name) => [name, readFileSync(scriptOf(name), 'utf8')]));
    const changed = running ? names.filter((name) => built.get(name) !== running?.get(name)) : [];
    running = built;
    if (changed.length === 0 || lifetime.signal.aborted) return;
    await progress.step(`Restart: ${changed.join(', ')}`, () => Promise.all(changed.map(system.restart)));
  }
  const plugin: Plugin = {
    name: 'reload',
    setup({ onLoad, onEnd }) {
      // The hash of the compiled texts becomes part of the module that reads them.
      onLoad({ filter: /src\/channels\/templates\/catalogue\.ts$/ }, async ({ path }) => {
        const files = filesBelow(TEMPLATES).map((file) => join(TEMPLATES, file));
        const watched = { watchFiles: [path, ...files], watchDirs: files.map((file) => dirname(file)) };
        try {
          await promisify(execFile)(join(TOP, 'node_modules/.bin/tsx'), [join(TOP, 'src/build/compile-texts.ts')]);
        } catch (error) {
          return { ...watched, errors: [{ text: (error as { stderr: string }).stderr }] };
        }
        const hash = hashOf(readFileSync(join(TOP, 'dist/texts.json'), 'utf8'));
        return { ...watched, contents: `${readFileSync(path, 'utf8')}\n//! ${hash}`, loader: 'ts' };
      });
      onEnd(async ({ errors }) => {
        if (errors.length === 0) await restartChanged().catch((error: Error) => progress.print(error.message));
      });
    },
  };
  const bundler = await context({ ...BUNDLE, plugins: [plugin] });
  lifetime.onEnd(() => bundler.dispose());
  await bundler.watch();
}

// Last, since it uses the constants above.
const options = readRunOptions(USAGE);
if (options) await runUntilStopped((lifetime) => dev(lifetime, options));
