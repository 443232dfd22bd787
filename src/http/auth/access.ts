import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { databaseAway, Refused } from '../../core/errors.ts';
import { type Caller, may, mustBeAllowed, type Permission, ROLES } from '../../people/caller.ts';
import { type ViewTarget, viewAs } from '../../people/view-as.ts';
import type { HttpDeps, VerifyToken } from '../deps.ts';
import { type EventOfPathDeps, loadEventOfPath } from '../events/event-of-path.ts';
import type { RateLimit } from '../rate-limit.ts';
import { bearerOf } from './authenticate.ts';

/** The access rule of a route. A route without a permission must give the reason. */
export type Access =
  /** `organizer`: the organizer of the event in the path needs no permission; the use case may demand more */
  | { permission: Permission; organizer?: true }
  /** any valid token: the reason; `viewAs`: staff who view as someone else see this person's answer */
  | { anyToken: string; viewAs?: true }
  /** no token: the reason; `needsDatabase`: answers 503 at once while the database is away, as all routes with a token do */
  | { open: string; needsDatabase?: true };

declare module 'fastify' {
  interface FastifyContextConfig {
    permission?: Permission;
    organizer?: true;
    anyToken?: string;
    viewAs?: true;
    open?: string;
    needsDatabase?: true;
    /** no rate limit: health checks, signed callbacks, and client files that a whole school loads from one address */
    unlimited?: true;
    /** takes a short code that could be guessed: few tries a minute */
    takesCode?: true;
  }
  interface FastifyRequest {
    caller: Caller | null;
  }
}

/** The fault in the access rule of a route, or null. */
export function accessFault({ method, url, config }: Pick<RouteOptions, 'method' | 'url' | 'config'>): string | null {
  const declared = [config?.permission, config?.anyToken, config?.open].filter((value) => value);
  return declared.length === 1 ? null : `${method} ${url} must name one of permission, anyToken, open`;
}

type GuardDeps = EventOfPathDeps &
  ViewAsDeps & {
    verifyToken: VerifyToken;
    limit: RateLimit;
    completeCaller: HttpDeps['completeCaller'];
    isDatabaseAway: HttpDeps['isDatabaseAway'];
  };

/**
 * Checks the access rule of the route before the body is read: database (503), token (401), rate limit (429), visibility of
 * the event in the path (404), permission (403). Replaces staff who view as someone else by that person, for all routes. An
 * application with a route without an access rule does not start.
 */
export function guardAccess(app: FastifyInstance, deps: GuardDeps): void {
  const routes: RouteOptions[] = [];
  app.decorateRequest('caller', null);
  app.addHook('onRoute', (route) => void routes.push(route));
  app.addHook('onReady', async () => {
    const faults = routes.map(accessFault).filter((fault) => fault !== null);
    if (faults.length > 0) throw new Error(faults.join('; '));
  });
  app.addHook('onRequest', async (request, reply) => {
    const { open, needsDatabase, permission, organizer } = request.routeOptions.config;
    if (!request.is404 && (!open || needsDatabase) && deps.isDatabaseAway()) throw databaseAway();
    if (request.is404 || open) return deps.limit(request, reply);
    const signedIn = await authenticate(deps, request, reply);
    request.caller = signedIn;
    await deps.limit(request, reply);
    const caller = await deps.completeCaller(await loadViewer(deps, signedIn, request));
    request.caller = caller;
    if (!permission || may(caller, permission)) return;
    const { event } = await loadEventOfPath(deps, caller, request);
    if (organizer && event?.organizer_id === caller.user_id) return;
    mustBeAllowed(caller, permission);
  });
}

/** Verifies the token. A refused token counts towards the rate limit of its address. */
async function authenticate(
  { verifyToken, limit }: GuardDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  try {
    return await verifyToken(bearerOf(request.headers.authorization));
  } catch (error) {
    await limit(request, reply);
    throw error;
  }
}

type ViewAsDeps = Parameters<typeof viewAs>[0];

/**
 * The caller whose view the response shows: the one of the token, or the one that `X-View-As` names. Only GET requests may name
 * one, on routes with a permission or with `viewAs`.
 * @throws Refused `forbidden`, `view_as_reads_only`, `malformed`, `not_found`
 */
async function loadViewer(deps: ViewAsDeps, caller: Caller, request: FastifyRequest): Promise<Caller> {
  const { headers, method, routeOptions } = request;
  const asked = headers['x-view-as'];
  if (asked === undefined) return caller;
  const { permission, viewAs: follows } = routeOptions.config;
  if ((method !== 'GET' && method !== 'HEAD') || !(permission || follows))
    throw new Refused({ code: 'view_as_reads_only' });
  return viewAs(deps, caller, targetOf(String(asked)));
}

/** Reads `role:parent` or `person:ID`, with the id in percent-encoding. */
function targetOf(asked: string): ViewTarget {
  const [, kind, value = ''] = /^(role|person):(.+)$/.exec(asked) ?? [];
  const role = ROLES.find((one) => kind === 'role' && one === value);
  const user_id = kind === 'person' ? decoded(value) : null;
  if (role) return { role };
  if (user_id) return { user_id };
  const detail = `X-View-As must be \`role:\` with one of ${ROLES.join(', ')}, or \`person:\` with a user id.`;
  throw new Refused({ code: 'malformed', detail });
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
