import { parseArgs } from 'node:util';
import { chunksOf } from '../core/groups.ts';
import { listedIn } from '../core/plain-text.ts';
import { permissionsOf } from '../dev/token-claims.ts';
import { signToken } from '../http/auth/token.ts';
import { PERMISSION_NAMES, ROLES } from '../people/caller.ts';
import { runCommand, WrongArguments } from './run-command.ts';

const USAGE = `npm run token -- [--role ROLE] [--user ID] [--tenant ID] [--school ID] [--permissions a,b]
                 [--classes a,b] [--grades a,b] [--departments a,b] [--children a,b] [--hours N]

Prints a token for development, signed with JWT_SECRET, JWT_ISSUER and JWT_AUDIENCE from the environment.

  --role         ${ROLES.join(', ')}; several with commas (default: staff)
  --user         user id (default: ROLE-1)
  --tenant       tenant id (default: demo)
  --school       school id (default: lipova)
  --permissions  any of the following (default: the usual permissions of the role)
                 ${inLines([...PERMISSION_NAMES].sort())}
  --children     user ids of a parent's children
  --hours        validity in hours (default: 12)
`;

const OPTIONS = {
  role: { type: 'string', default: 'staff' },
  user: { type: 'string' },
  tenant: { type: 'string', default: 'demo' },
  school: { type: 'string', default: 'lipova' },
  permissions: { type: 'string' },
  classes: { type: 'string' },
  grades: { type: 'string' },
  departments: { type: 'string' },
  children: { type: 'string' },
  hours: { type: 'string', default: '12' },
} as const;

/** @throws Error that names the wrong argument or setting */
async function token(args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const roles = listedIn(values.role).map((name) => oneOf(ROLES, name, 'role'));
  const [role] = roles;
  if (!role) throw new WrongArguments('--role must name a role');
  const permissions = values.permissions === undefined ? roles.flatMap(permissionsOf) : listedIn(values.permissions);
  for (const name of permissions) oneOf(PERMISSION_NAMES, name, 'permission');
  const empty = (['user', 'tenant', 'school'] as const).find((name) => values[name] === '');
  if (empty) throw new WrongArguments(`--${empty} must not be empty`);
  const hours = Number(values.hours);
  if (!(hours > 0 && hours <= 24 * 366))
    throw new WrongArguments('--hours must be a number above 0 and at most 8784 (a year)');
  const caller = {
    user_id: values.user ?? `${role}-1`,
    tenant_id: values.tenant,
    school_id: values.school,
    roles,
    permissions: [...new Set(permissions)],
    class_ids: listedIn(values.classes),
    grade_level_ids: listedIn(values.grades),
    department_ids: listedIn(values.departments),
    children: listedIn(values.children),
  };
  return signToken({ ...signerIn(env), expiresInSeconds: Math.round(hours * 3600) }, caller);
}

function signerIn(env: NodeJS.ProcessEnv): { secret: string; issuer: string; audience: string } {
  if (env.NODE_ENV === 'production')
    throw new Error('NODE_ENV is production: only the identity provider may issue tokens');
  const { JWT_SECRET: secret = '', JWT_ISSUER: issuer = '', JWT_AUDIENCE: audience = '' } = env;
  const names = ['JWT_SECRET', 'JWT_ISSUER', 'JWT_AUDIENCE'].filter((name) => !env[name]);
  if (names.length > 0) throw new Error(`set ${names.join(', ')} to the same values as for the API`);
  return { secret, issuer, audience };
}

function oneOf<T extends string>(known: readonly T[], name: string, what: string): T {
  const found = known.find((one) => one === name);
  if (!found) throw new WrongArguments(`${name} is not a ${what}; choose from ${known.join(', ')}`);
  return found;
}

function inLines(names: readonly string[]): string {
  const rows = chunksOf(names, 3).map((row) => row.join(', '));
  return rows.join(`,\n${' '.repeat(17)}`);
}

await runCommand('token', { usage: USAGE, run: async (args) => ({ lines: [await token(args, process.env)] }) });
