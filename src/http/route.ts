import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { type ErrorCode, mustBeValid } from '../core/errors.ts';
import type { RecordReply } from '../core/idempotency-record.ts';
import type { Caller } from '../people/caller.ts';
import type { Access } from './auth/access.ts';
import type { RouteDeps } from './deps.ts';
import { sendReply } from './error-handler.ts';
import { type EventBelow, loadEventOfPath } from './events/event-of-path.ts';
import { runOnce } from './idempotency.ts';
import { type ApiResponse, type CallerOf, NOTHING, type Route, type RouteInput, schemaOf } from './route-definition.ts';
import { addRuleFaults, checkOf, converterOf } from './validator.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    refusals?: readonly ErrorCode[];
    hasDryRun?: true;
    /** the body is a stream, so it has no time limit */
    streamed?: boolean;
    endless?: true;
    /** a body of any type counts as none */
    ignoresBody?: boolean;
  }
}

const ONCE: readonly string[] = ['POST', 'PATCH', 'DELETE'];

type AddRoute = <
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  const Url extends string,
  A extends Access,
  R,
>(
  url: Url,
  route: Route<P, Q, B, Url, A, R>,
) => void;

/** Adds routes to a part of the application. With an `Idempotency-Key`, a handler runs in the transaction that stores the reply. */
export type Routes = Record<'get' | 'post' | 'put' | 'patch' | 'delete', AddRoute> & {
  app: FastifyInstance;
  deps: RouteDeps;
  /** adds the routes to another scope of Fastify */
  on: (scope: FastifyInstance) => Routes;
};

/** @param tag for routes that name none */
export function routesOf(app: FastifyInstance, deps: RouteDeps, tag: string): Routes {
  const by =
    (method: HTTPMethods): AddRoute =>
    (url, route) =>
      addRoute(app, deps, method, url, { tag, ...route });
  return {
    app,
    deps,
    get: by('GET'),
    post: by('POST'),
    put: by('PUT'),
    patch: by('PATCH'),
    delete: by('DELETE'),
    on: (scope) => routesOf(scope, deps, tag),
  };
}

function addRoute<P extends TSchema, Q extends TSchema, B extends TSchema, Url extends string, A extends Access, R>(
  app: FastifyInstance,
  deps: RouteDeps,
  method: HTTPMethods,
  url: Url,
  route: Route<P, Q, B, Url, A, R>,
): void {
  const { access, refusals = [], streams, hasDryRun } = route;
  const [queryOf, bodyOf] = [converterOf(route.query ?? NOTHING), converterOf(route.body ?? NOTHING)];
  const followsView = method === 'GET' && ('permission' in access || 'viewAs' in access);
  const [status] = Object.keys(route.responses).map(Number) as [number];
  const isIdempotent = ONCE.includes(method) && !streams && !route.returnsSecret && !route.repeatable;
  app.route({
    method,
    url,
    config: {
      ...access,
      // An id in the path may belong to nothing.
      refusals: url.includes(':') && !route.params ? [...refusals, 'not_found'] : refusals,
      hasDryRun,
      streamed: streams !== undefined,
      endless: route.endless,
      ignoresBody: route.ignoresBody,
      takesCode: route.takesCode,
    },
    schema: schemaOf(url, route, isIdempotent, followsView),
    exposeHeadRoute: !route.endless,
    bodyLimit: route.bodyLimit,
    attachValidation: route.rules !== undefined,
    ...(streams || route.ignoresBody ? {} : { preValidation: route.body ? useEmptyObject : refuseFields }),
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const caller = request.caller as Caller;
      if (!caller && !('open' in access)) throw new Error(`${method} ${url} ran without a caller`);
      if (request.validationError) throw await collectAllFaults(deps, caller, route, request, request.validationError);
      const { params, headers } = request;
      const parsed = { params, query: queryOf(request.query), body: bodyOf(request.body), headers };
      const run = async (txDeps: RouteDeps, recordReply?: RecordReply<ApiResponse>): Promise<ApiResponse> => {
        const { event, caller: reader } = await loadEventOfPath(txDeps, caller, request);
        const withEvent = { ...parsed, event } as RouteInput<Url, Static<P>, Static<Q>, Static<B>>;
        const given = [txDeps, reader as CallerOf<A>, withEvent] as const;
        if ('result' in route) {
          const body = await route.result(...given);
          return status === 204 ? { status } : { status, body };
        }
        if ('change' in route)
          return route.respond(
            await route.change(...given, recordReply && ((result) => recordReply(route.respond(result)))),
          );
        const response = await route.handle(...given);
        if (response.isDryRun) reply.serializer(JSON.stringify);
        return response;
      };
      if (isIdempotent && request.headers['idempotency-key'] !== undefined) {
        return sendReply(reply, await runOnce(deps, caller, request, reply, run, 'change' in route));
      }
      const response = await run(deps);
      return reply
        .code(response.status)
        .headers(response.headers ?? {})
        .send(response.body);
    },
  });
}

async function collectAllFaults<B extends TSchema, Url extends string>(
  deps: RouteDeps,
  caller: Caller,
  { rules, body }: Pick<Route<TSchema, TSchema, B, Url, Access, unknown>, 'rules' | 'body'>,
  request: FastifyRequest,
  refused: Error,
): Promise<Error> {
  if (!rules || !body) return refused;
  const { event, caller: reader } = await loadEventOfPath(deps, caller, request);
  return addRuleFaults(refused, body, request.body, (fields) => rules(deps, reader, event as EventBelow<Url>, fields));
}

// A missing body lacks the same fields as an empty object, so both get the same errors.
async function useEmptyObject(request: FastifyRequest): Promise<void> {
  if (request.body === undefined) request.body = {};
}

const faultsOfNothing = checkOf(NOTHING);

async function refuseFields(request: FastifyRequest): Promise<void> {
  mustBeValid(faultsOfNothing(request.body ?? {}));
}
