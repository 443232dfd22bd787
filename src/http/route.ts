import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema, HTTPMethods } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import { type ErrorCode, type FieldFault, invalid } from '../core/errors.ts';
import type { Caller } from '../people/caller.ts';
import type { Access } from './auth/access.ts';
import type { RouteDeps } from './deps.ts';
import { sendReply } from './error-handler.ts';
import { type EventBelow, loadEventOfPath } from './events/event-of-path.ts';
import { runOnce, type ToIdempotencyRecord } from './idempotency.ts';
import { addRuleFaults, type CheckedFields } from './openapi/all-faults.ts';
import { checkOf } from './validator.ts';

export type Answer = {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** the result of a dry run; written as plain JSON because the route's schema describes another answer */
  isDryRun?: true;
};

export type Asked<P, Q, B> = { params: P; query: Q; body: B; headers: IncomingHttpHeaders };

/** The request of a handler. `event` is the event of the path, which the caller may read. */
type AskedAt<Url extends string, P, Q, B> = Asked<P, Q, B> & { event: EventBelow<Url> };

/** One operation of the API. Documentation, validation and handler all come from it. */
export type Route<P extends TSchema, Q extends TSchema, B extends TSchema, Url extends string = string> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: Url;
  access: Access;
  /** operationId */
  name: string;
  /** default: the tag of its group in `ROUTES` */
  tag?: string;
  summary: string;
  description?: string;
  params?: P;
  query?: Q;
  /** without a schema, a body with fields is refused instead of silently ignored */
  body?: B;
  /** a body is ignored instead of refused */
  ignoresBody?: boolean;
  /** media types of the body; default: `application/json` */
  accepts?: readonly string[];
  /** the body is a stream of this type; an idempotency key has no effect */
  streams?: string;
  /** media type of the answer; default: JSON */
  produces?: string;
  answers: Record<number, TSchema>;
  /** error codes of this route, in addition to those of all such routes; for the documentation */
  refusals?: readonly ErrorCode[];
  /** accepts `dry_run` and then answers 200 with a DryRunResult */
  hasDryRun?: true;
  /** the answer contains a secret, so it is never stored: a retry gets a new answer */
  returnsSecret?: boolean;
  /** request headers in addition to the common ones */
  headers?: Record<string, TSchema>;
  /** the answer is an endless stream, so HEAD is not supported */
  endless?: true;
  /** repeating the request is harmless, so an idempotency key has no effect */
  repeatable?: true;
  /** bytes; default: the limit of the application */
  bodyLimit?: number;
  ifMatch?: boolean;
  ifNoneMatch?: boolean;
  /** checks the rules between fields of a body that its schema refuses, so that one answer names all faults */
  rules?: (
    deps: RouteDeps,
    caller: Caller,
    asked: { params: Static<P> },
    fields: CheckedFields,
  ) => Promise<readonly FieldFault[]>;
  /** takes a short code that could be guessed: few tries a minute */
  takesCode?: true;
  /** the change shares a transaction with other requests, which also stores the reply: `handle` must pass on `keep` */
  grouped?: true;
} & (
  | {
      handle: (
        deps: RouteDeps,
        caller: Caller,
        asked: AskedAt<Url, Static<P>, Static<Q>, Static<B>>,
        keep?: ToIdempotencyRecord,
      ) => Promise<Answer>;
    }
  | {
      /** returns the body of the only answer, if it needs no header */
      result: (
        deps: RouteDeps,
        caller: Caller,
        asked: AskedAt<Url, Static<P>, Static<Q>, Static<B>>,
      ) => Promise<unknown>;
    }
);

declare module 'fastify' {
  interface FastifyContextConfig {
    refusals?: readonly ErrorCode[];
    hasDryRun?: true;
    /** the body is a stream, so it has no time limit */
    streamed?: true;
    /** the answer is an endless stream */
    endless?: true;
  }
}

const NOTHING = Type.Object({}, { additionalProperties: false });
const ONCE: readonly string[] = ['POST', 'PATCH', 'DELETE'];

/** Adds a route. With an `Idempotency-Key`, its handler runs in the transaction that stores the reply. */
export function addRoute<P extends TSchema, Q extends TSchema, B extends TSchema, const Url extends string>(
  app: FastifyInstance,
  deps: RouteDeps,
  route: Route<P, Q, B, Url>,
): void {
  const { method, url, access, refusals, streams, hasDryRun, grouped = false } = route;
  const followsView = method === 'GET' && ('permission' in access || 'viewAs' in access);
  const [status] = Object.keys(route.answers).map(Number) as [number];
  const isIdempotent = ONCE.includes(method) && !streams && !route.returnsSecret && !route.repeatable;
  app.route({
    method: method as HTTPMethods,
    url,
    config: {
      ...access,
      refusals,
      ...(hasDryRun ? { hasDryRun } : {}),
      ...(streams ? { streamed: true } : {}),
      ...(route.endless ? { endless: true } : {}),
      takesCode: route.takesCode,
    },
    schema: schemaOf(route, isIdempotent, followsView),
    ...(route.endless ? { exposeHeadRoute: false } : {}),
    ...(route.bodyLimit ? { bodyLimit: route.bodyLimit } : {}),
    ...(route.rules ? { attachValidation: true } : {}),
    ...(streams || route.ignoresBody ? {} : { preValidation: route.body ? useEmptyObject : refuseFields }),
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const { caller } = request;
      if (!caller) throw new Error(`${method} ${url} ran without a caller`);
      if (request.validationError) throw await collectAllFaults(deps, caller, route, request, request.validationError);
      const asked = { query: request.query, body: request.body, headers: request.headers };
      const run = async (joined: RouteDeps, keep?: ToIdempotencyRecord): Promise<Answer> => {
        const { as, ...found } = await loadPath(joined, caller, request);
        const withPath = { ...asked, ...found } as AskedAt<Url, Static<P>, Static<Q>, Static<B>>;
        if ('result' in route) {
          const body = await route.result(joined, as, withPath);
          return status === 204 ? { status } : { status, body };
        }
        const answer = await route.handle(joined, as, withPath, keep);
        if (answer.isDryRun) reply.serializer(JSON.stringify);
        return answer;
      };
      if (isIdempotent && request.headers['idempotency-key'] !== undefined) {
        return sendReply(reply, await runOnce(deps, request, reply, run, { grouped }));
      }
      const answer = await run(deps);
      return reply
        .code(answer.status)
        .headers(answer.headers ?? {})
        .send(answer.body);
    },
  });
}

/** Loads the event of the path and the caller with the permissions that apply to it. @throws Refused `not_found` */
async function loadPath(deps: RouteDeps, caller: Caller, request: FastifyRequest) {
  const reached = await loadEventOfPath(deps, caller, request);
  if (!reached) return { as: caller, params: request.params, event: null };
  const { event, caller: as } = reached;
  return { as, params: { ...(request.params as object), id: event.id }, event };
}

async function collectAllFaults<P extends TSchema, Q extends TSchema, B extends TSchema, Url extends string>(
  deps: RouteDeps,
  caller: Caller,
  { rules, body }: Route<P, Q, B, Url>,
  request: FastifyRequest,
  refused: Error,
): Promise<Error> {
  if (!rules || !body) return refused;
  const { as, params } = await loadPath(deps, caller, request);
  return addRuleFaults(refused, body, request.body, (fields) => rules(deps, as, { params } as never, fields));
}

// A missing body lacks the same fields as an empty object, so both get the same errors.
async function useEmptyObject(request: FastifyRequest): Promise<void> {
  if (request.body === undefined) request.body = {};
}

const faultsOfNothing = checkOf(NOTHING);

async function refuseFields(request: FastifyRequest): Promise<void> {
  const faults = faultsOfNothing(request.body ?? {});
  if (faults.length > 0) throw invalid(faults);
}

/** The parts of a route that its documentation and the checks of its requests come from. */
export type Documented = Omit<Route<TSchema, TSchema, TSchema>, 'handle' | 'result' | 'rules' | 'method' | 'access'>;

export function schemaOf(route: Documented, isIdempotent: boolean, followsView = false): FastifySchema {
  const { streams, accepts, name, tag, summary, description, params, body, answers } = route;
  return {
    operationId: name,
    ...(tag ? { tags: [tag] } : {}),
    summary,
    ...(description ? { description } : {}),
    ...(params ? { params } : {}),
    querystring: route.query ?? NOTHING,
    ...(body ? { body } : {}),
    ...(route.produces ? { produces: [route.produces] } : {}),
    ...(streams ? { consumes: [streams] } : accepts ? { consumes: [...accepts] } : {}),
    headers: headersOf(route, isIdempotent, followsView),
    response: answers,
    security: [{ bearer: [] }],
  };
}

function headersOf(
  { headers, ifMatch, ifNoneMatch }: Documented,
  isIdempotent: boolean,
  followsView: boolean,
): TSchema {
  const header = (description: string, options = {}) => Type.Optional(Type.String({ description, ...options }));
  return Type.Object({
    ...headers,
    ...(isIdempotent
      ? {
          'idempotency-key': header(
            'Makes the request safe to repeat: within 24 hours, a request with the same key gets the first reply.',
            { format: 'key' },
          ),
        }
      : {}),
    ...(followsView
      ? { 'x-view-as': header('Shows what someone else would see: `role:parent`, or `person:` with a user id.') }
      : {}),
    ...(ifMatch
      ? { 'if-match': header('The ETag that you read. If the event has changed since, the answer is 412.') }
      : {}),
    ...(ifNoneMatch
      ? { 'if-none-match': header('The ETag that you have. If nothing has changed, the answer is 304.') }
      : {}),
  });
}
