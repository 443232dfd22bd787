import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import type { Caller } from '../../people/caller.ts';
import { may, mustBeAllowed, type Permission } from '../../people/permissions.ts';
import type { VerifyToken } from '../deps.ts';
import { type EventOfPathDeps, eventOfPath } from '../events/event-of-path.ts';
import { EVENTS } from '../paths.ts';
import type { RateLimit } from '../rate-limit.ts';
import { bearerOf } from './authenticate.ts';

/** What a route asks of its caller, or why it asks less. */
export type Access =
  | { permission: Permission }
  /** a token is needed, but no permission: the reason */
  | { anyToken: string }
  /** not even a token: the reason */
  | { open: string };

declare module 'fastify' {
  interface FastifyContextConfig {
    permission?: Permission;
    anyToken?: string;
    open?: string;
    /** not counted: the platform asks, a provider that says so with its signature, or a school's whole house at once */
    unlimited?: true;
  }
  interface FastifyRequest {
    caller: Caller | null;
  }
}

/** What is wrong with the access a route declares, or null. */
export function accessFault({ method, url, config }: Pick<RouteOptions, 'method' | 'url' | 'config'>): string | null {
  const declared = [config?.permission, config?.anyToken, config?.open].filter((value) => value);
  return declared.length === 1 ? null : `${method} ${url} must name one of permission, anyToken, open`;
}

type GuardDeps = EventOfPathDeps & {
  verifyToken: VerifyToken;
  limit: RateLimit;
  /** adds what the directory knows of a caller, where it matters for what they see */
  complete?: (caller: Caller) => Promise<Caller>;
};

/**
 * Asks every request for what its route declares, before a byte of the body is read: first who it is (401), then
 * whether they have asked too often (429), then whether they may see the event the path names (404), then their
 * permission (403). An application with a route that declares nothing does not start.
 */
export function guardAccess(app: FastifyInstance, deps: GuardDeps): void {
  const routes: RouteOptions[] = [];
  app.decorateRequest('caller', null);
  app.addHook('onRoute', (route) => void routes.push(route));
  app.addHook('onReady', async () => {
    const faults = routes.map(accessFault).filter((fault) => fault !== null);
    if (faults.length > 0) throw new Error(faults.join('; '));
  });
  app.addHook('onRequest', async (request) => {
    const { open, permission } = request.routeOptions.config;
    if (request.is404 || open) return deps.limit(request);
    const caller = await callerOf(deps, request);
    request.caller = caller;
    deps.limit(request);
    if (seesEvents(request) && deps.complete) request.caller = await deps.complete(caller);
    if (!permission || may(caller, permission)) return;
    await eventOfPath(deps, request.caller, request);
    mustBeAllowed(caller, permission);
  });
}

/** A token that is refused counts for the address it comes from. */
async function callerOf({ verifyToken, limit }: GuardDeps, request: FastifyRequest): Promise<Caller> {
  try {
    return await verifyToken(bearerOf(request.headers.authorization));
  } catch (error) {
    limit(request);
    throw error;
  }
}

const seesEvents = ({ routeOptions: { config, url } }: FastifyRequest): boolean =>
  config.permission !== undefined || (url?.startsWith(EVENTS) ?? false);
