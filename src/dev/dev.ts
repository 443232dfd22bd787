import { type Life, live } from './acceptance/school-day.ts';
import { openHouse, tellAddresses } from './acceptance/school-under-test.ts';
import { progressOn } from './progress.ts';
import { reloadOnChange } from './reload.ts';
import { type RunOptions, readRunOptions } from './run-options.ts';
import { DEMO_SCOPE } from './school/demo-person.ts';
import { permissionsOf } from './token-claims.ts';

const USAGE = `npm run dev -- [--port N] [--metrics]

The API and every worker with reload, and stand-ins for the providers: what is changed in src, workers and templates is
built, and the processes that it matters to are started again. JWT_SECRET, JWT_ISSUER and JWT_AUDIENCE are those of the
environment where they are set.

  --port N   the port of the API, 3000 by default
  --metrics  serve /metrics of every process, each on a port of its own
`;

const SIGNING = ['JWT_SECRET', 'JWT_ISSUER', 'JWT_AUDIENCE'];

async function dev(life: Life, { port = 3000, metrics }: RunOptions): Promise<number> {
  const progress = progressOn(process.stdout, process.env);
  progress.heading('Schoolbell, with reload');
  const given = SIGNING.map((name) => [name, process.env[name] ?? '']).filter(([, value]) => value !== '');
  const house = await openHouse(life, progress, { port, metrics, env: Object.fromEntries(given) });
  reloadOnChange(life, house.system, progress);
  const roles = ['admin', 'staff'] as const;
  const staff = { ...DEMO_SCOPE, user_id: 'staff-1', roles, permissions: permissionsOf('admin') };
  tellAddresses(house, await house.system.token(staff), '/me/inbox', progress);
  await life.untilAsked();
  return 0;
}

const options = readRunOptions(USAGE);
if (options) await live((life) => dev(life, options));
