import type { FastifyInstance, InjectOptions } from 'fastify';
import { beforeEach } from 'vitest';
import type { SchoolEvent } from '../../../src/events/event.ts';
import type { NewEvent } from '../../../src/events/event-fields.ts';
import { draftOf, withDefaults } from '../../../src/events/rules/defaults.ts';
import { buildApp } from '../../../src/http/app.ts';
import { tokenVerifier } from '../../../src/http/auth/authenticate.ts';
import { signToken } from '../../../src/http/auth/token.ts';
import type { HttpDeps, HttpOptions } from '../../../src/http/deps.ts';
import type { HttpLog } from '../../../src/http/log.ts';
import { type Caller, PERMISSION_NAMES } from '../../../src/people/caller.ts';
import { aCaller } from '../builders.ts';
import { emptyDatabase } from '../database.ts';
import { type Operation, operationsOf } from './api-document.ts';
import { type HttpPorts, httpPorts } from './http-ports.ts';

export const TOKENS = {
  secret: 'a secret of at least thirty-two bytes',
  issuer: 'https://id.test',
  audience: 'schoolbell',
};
export const E = '/api/v1/operations/events';

export type Who = Partial<Caller>;

/** A member of staff with all event permissions, and more. */
export const staffWith = (...more: string[]): Who => ({
  user_id: 'staff',
  roles: ['staff'],
  permissions: ['events.view', 'events.create', 'events.update', 'events.registrations.manage', ...more],
});
export const STAFF = staffWith();
/** A member of staff with the permissions of every route. */
export const EVERYTHING: Who = {
  user_id: 'karl',
  roles: ['staff'],
  permissions: [...PERMISSION_NAMES],
};
export const PARENT: Who = { user_id: 'eva', roles: ['parent'], permissions: ['events.view'] };

export const callerOf = (who: Who): Caller => aCaller({ user_id: 'someone', ...who });

export type Served = HttpPorts & {
  app: FastifyInstance;
  logged: { level: string; event: string; ids: Record<string, unknown> }[];
  /** Sends a request as this caller; parses a JSON body. */
  ask: (who: Who | null, method: string, url: string, more?: Omit<InjectOptions, 'method' | 'url'>) => Promise<Answer>;
  /** Stores an event as if it had been created. */
  given: (event?: Partial<SchoolEvent>) => Promise<SchoolEvent>;
};

// biome-ignore lint/suspicious/noExplicitAny: the tests check the content of JSON bodies
export type Answer = { status: number; headers: Record<string, string>; body: any; text: string };

/** The faults that an answer names, as text. */
export const faultsOf = ({ body }: Answer): string[] =>
  (body.errors ?? []).map(({ pointer, message }: { pointer: string; message: string }) => `${pointer} ${message}`);

/** The pointers of the faults that an answer names. */
export const pointersOf = ({ body }: Answer): string[] =>
  (body.errors ?? []).map(({ pointer }: { pointer: string }) => pointer);

/** One field of each entry of a list. */
export const valuesOf = ({ body }: Answer, field: string): unknown[] =>
  body.data.map((entry: Record<string, unknown>) => entry[field]);

/** A public event on this day that someone created and published now, with places to register for. */
export function publishedEvent(day: string, now: Date): SchoolEvent {
  const organizer = callerOf({ ...STAFF, user_id: 'organizer' });
  const input: NewEvent = { title: 'Concert', event_type: 'cultural', start_date: day, end_date: day };
  const chosen = { visibility: 'public', registration_type: 'optional' } as const;
  const fields = withDefaults({ ...input, ...chosen }, { timezone: 'UTC' }, organizer);
  return { ...draftOf(fields, organizer, now), status: 'published' };
}

let shared: Promise<Served> | undefined;

/** The application for a file whose tests each begin with an empty database; the files of a worker share both. */
export async function provideHttp(): Promise<Served> {
  shared ??= build({}, {});
  const served = await shared;
  beforeEach(served.clean);
  return served;
}

/** The same application on a database that is empty now, for tests that share their rows. */
export async function serve(): Promise<Served> {
  shared ??= build({}, {});
  return cleaned(await shared);
}

/** A separate application, for a test that changes its options or ports. */
export const serveAnew = async (options: Partial<HttpOptions> = {}, change: Partial<HttpDeps> = {}): Promise<Served> =>
  cleaned(await build(options, change));

async function cleaned(served: Served): Promise<Served> {
  await served.clean();
  return served;
}

async function build(options: Partial<HttpOptions>, change: Partial<HttpDeps>): Promise<Served> {
  const ports = httpPorts(await emptyDatabase());
  Object.assign(ports.deps, change);
  const logged: Served['logged'] = [];
  const write = (level: string) => (ids: Record<string, unknown>, event: string) =>
    void logged.push({ level, event, ids });
  const log: HttpLog = { debug: write('debug'), warn: write('warn'), error: write('error') };
  const verifyToken = tokenVerifier(TOKENS);
  const app = buildApp(ports.deps, { publicUrl: 'https://school.test', verifyToken, log, ...options });
  const ask = askDocumented(app);
  await app.ready();
  async function given(event: Partial<SchoolEvent> = {}): Promise<SchoolEvent> {
    const made = { ...publishedEvent('2026-10-16', ports.now.at), ...event };
    await ports.tables.events.put(made);
    return made;
  }
  async function clean(): Promise<void> {
    await ports.clean();
    logged.length = 0;
  }
  return { ...ports, app, logged, ask, given, clean };
}

/** Leaves an open stream after its first event. */
async function textOf(stream: AsyncIterable<Buffer>, goesOn: boolean): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) {
    chunks.push(chunk);
    if (goesOn) break;
  }
  return Buffer.concat(chunks).toString();
}

const tokens = new Map<string, Promise<string>>();

/** The token of a caller, signed with `TOKENS` once, since the application caches the tokens that it has verified. */
function tokenOf(who: Who): Promise<string> {
  const caller = callerOf(who);
  const key = JSON.stringify(caller);
  const token = tokens.get(key) ?? signToken(TOKENS, caller);
  tokens.set(key, token);
  return token;
}

/** Sends requests into an application, each as a caller. */
export const askOn =
  (app: FastifyInstance): Served['ask'] =>
  async (who, method, url, more = {}) => {
    const token = who && (await tokenOf(who));
    const headers = { ...(token ? { authorization: `Bearer ${token}` } : {}), ...more.headers };
    const answer = await app.inject({ ...more, method: method as 'GET', url, headers, payloadAsStream: true });
    const type = String(answer.headers['content-type']);
    const text = await textOf(answer.stream(), type.startsWith('text/event-stream'));
    const body = type.includes('json') && text !== '' ? JSON.parse(text) : undefined;
    return { status: answer.statusCode, headers: answer.headers as Record<string, string>, body, text };
  };

type ProblemDocument = { components: { schemas: { Problem: { properties: object } } } };

/** Sends requests as `askOn` does. @throws Error if a route refuses with a code or a member that its documentation lacks */
function askDocumented(app: FastifyInstance): Served['ask'] {
  const routes = new Map<string, string>();
  app.addHook('onRequest', async ({ id, method, routeOptions: { url = '' } }) => {
    routes.set(`urn:uuid:${id}`, `${method} ${url.replace(/:(\w+)/g, '{$1}')}`);
  });
  let documented: readonly Operation[] | undefined;
  const ask = askOn(app);
  return async (...request) => {
    const answer = await ask(...request);
    const route = routes.get(answer.body?.instance);
    if (route === undefined) return answer;
    documented ??= operationsOf(app.swagger() as never);
    const operation = documented.find(({ name }) => name === route);
    const codes = operation?.responses[answer.status]?.description.split(', ');
    if (operation && !codes?.includes(answer.body.code))
      throw new Error(`${route} refuses with ${answer.body.code}: name it in its \`refusals\``);
    const { properties } = (app.swagger() as never as ProblemDocument).components.schemas.Problem;
    const unknown = Object.keys(answer.body).filter((name) => !Object.hasOwn(properties, name));
    if (unknown.length > 0) throw new Error(`${route} refuses with ${unknown}: add it to the schema \`Problem\``);
    return answer;
  };
}
