import { type Lifetime, runUntilStopped } from './lifetime.ts';
import { progressOn } from './progress.ts';
import { reloadOnChange } from './reload.ts';
import { type RunOptions, readRunOptions } from './run-options.ts';
import { DEMO_SCOPE } from './school/demo-person.ts';
import { printAddresses, startSchoolUnderTest } from './school-under-test.ts';
import { permissionsOf } from './token-claims.ts';

const USAGE = `npm run dev -- [--port N] [--metrics]

Starts the API, every worker and stand-ins for the providers. A change in src, workers or templates is built, and the
processes that use it restart. JWT_SECRET, JWT_ISSUER and JWT_AUDIENCE are taken from the environment if set.

  --port N   the port of the API, 3000 by default
  --metrics  serve /metrics of every process, each on a port of its own
`;

const SIGNING = ['JWT_SECRET', 'JWT_ISSUER', 'JWT_AUDIENCE'];

async function dev(lifetime: Lifetime, { port = 3000, metrics }: RunOptions): Promise<number> {
  const progress = progressOn(process.stdout, process.env);
  progress.heading('Schoolbell, with reload');
  const given = SIGNING.map((name) => [name, process.env[name] ?? '']).filter(([, value]) => value !== '');
  const school = await startSchoolUnderTest(lifetime, progress, { port, metrics, env: Object.fromEntries(given) });
  await reloadOnChange(lifetime, school.system, progress);
  const roles = ['admin', 'staff'] as const;
  const staff = { ...DEMO_SCOPE, user_id: 'staff-1', roles, permissions: permissionsOf('admin') };
  printAddresses(school, await school.system.token(staff), '/me/inbox', progress);
  await lifetime.untilStopped();
  return 0;
}

const options = readRunOptions(USAGE);
if (options) await runUntilStopped((lifetime) => dev(lifetime, options));
