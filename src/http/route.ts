import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema, HTTPMethods } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import type { ErrorCode, FieldFault } from '../core/errors.ts';
import type { Caller } from '../people/caller.ts';
import type { Access } from './auth/access.ts';
import type { RouteDeps } from './deps.ts';
import { sendReply } from './error-handler.ts';
import { type EventBelow, eventOfPath } from './events/event-of-path.ts';
import { answerOnce, type KeepAnswer } from './idempotency.ts';
import { type Sorted, withFaultsOfRules } from './openapi/all-faults.ts';
import { checkOf } from './validator.ts';

export type Answer = {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** written out as it is, since it is not what the route's schema describes */
  isForesight?: true;
};

export type Asked<P, Q, B> = { params: P; query: Q; body: B; headers: IncomingHttpHeaders };

/** What a route's handler is asked; `event` is the one its path names, which the caller may read. */
type AskedAt<Url extends string, P, Q, B> = Asked<P, Q, B> & { event: EventBelow<Url> };

/** One thing that can be asked of the service: what documentation, checks and answers are made from. */
export type Route<P extends TSchema, Q extends TSchema, B extends TSchema, Url extends string = string> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: Url;
  access: Access;
  /** operationId */
  name: string;
  tag: string;
  summary: string;
  description?: string;
  params?: P;
  query?: Q;
  /** without a schema nothing but an empty object may be sent: whoever sends more means something by it */
  body?: B;
  /** what is sent without a schema is not looked at */
  ignoresBody?: boolean;
  /** media types of the body, where there are others than `application/json` */
  accepts?: readonly string[];
  /** the body is a stream of this type, and no reply is kept */
  streams?: string;
  /** of the answer, where it is not JSON */
  produces?: string;
  answers: Record<number, TSchema>;
  /** codes beyond those that every such route can answer with; for the documentation */
  refusals?: readonly ErrorCode[];
  /** takes `dry_run` and then answers 200 with a Foresight */
  foresees?: true;
  /** the answer tells a secret that is kept nowhere: no reply is kept, and a retry gets another one */
  tellsSecret?: boolean;
  /** request headers beyond the usual ones */
  headers?: Record<string, TSchema>;
  /** the answer is a stream that goes on: asking for its head alone would never end */
  endless?: true;
  /** doing it again is harmless by itself: no reply is kept */
  repeatable?: true;
  /** bytes, where it is not that of every body */
  bodyLimit?: number;
  ifMatch?: boolean;
  ifNoneMatch?: boolean;
  /** what rules between fields say of a body that its schema refuses, for one answer that names all faults */
  rules?: (
    deps: RouteDeps,
    caller: Caller,
    asked: { params: Static<P> },
    sorted: Sorted,
  ) => Promise<readonly FieldFault[]>;
  /** decided in a group with other requests, whose transaction also keeps the reply: `handle` passes `keep` on */
  grouped?: true;
  handle: (
    deps: RouteDeps,
    caller: Caller,
    asked: AskedAt<Url, Static<P>, Static<Q>, Static<B>>,
    keep?: KeepAnswer,
  ) => Promise<Answer>;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    refusals?: readonly ErrorCode[];
    foresees?: true;
    /** the body is a stream, which may take its time */
    streamed?: true;
  }
}

const NOTHING = Type.Object({}, { additionalProperties: false });
const ONCE: readonly string[] = ['POST', 'PATCH', 'DELETE'];

/** Adds a route. Its handler is written once; with an `Idempotency-Key` it runs inside the transaction of the reply. */
export function addRoute<P extends TSchema, Q extends TSchema, B extends TSchema, const Url extends string>(
  app: FastifyInstance,
  deps: RouteDeps,
  route: Route<P, Q, B, Url>,
): void {
  const { method, url, access, refusals, streams, foresees, grouped = false } = route;
  const keepsReply = ONCE.includes(method) && !streams && !route.tellsSecret && !route.repeatable;
  app.route({
    method: method as HTTPMethods,
    url,
    config: { ...access, refusals, ...(foresees ? { foresees } : {}), ...(streams ? { streamed: true } : {}) },
    schema: schemaOf(route, keepsReply),
    ...(route.endless ? { exposeHeadRoute: false } : {}),
    ...(route.bodyLimit ? { bodyLimit: route.bodyLimit } : {}),
    ...(route.rules ? { attachValidation: true } : {}),
    ...(streams || route.ignoresBody ? {} : { preValidation: route.body ? emptyIsObject : refuseFields }),
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const { caller } = request;
      if (!caller) throw new Error(`${method} ${url} ran without a caller`);
      if (request.validationError) throw await allFaults(deps, caller, route, request, request.validationError);
      const asked = { query: request.query, body: request.body, headers: request.headers };
      const run = async (joined: RouteDeps, keep?: KeepAnswer) => {
        const { as, ...named } = await namedBy(joined, caller, request);
        const answer = await route.handle(
          joined,
          as,
          { ...asked, ...named } as Parameters<typeof route.handle>[2],
          keep,
        );
        if (answer.isForesight) reply.serializer(JSON.stringify);
        return answer;
      };
      if (keepsReply && request.headers['idempotency-key'] !== undefined) {
        return sendReply(reply, await answerOnce(deps, request, reply, run, { grouped }));
      }
      const { status, body, headers = {} } = await run(deps);
      return reply.code(status).headers(headers).send(body);
    },
  });
}

/** What the path names, under our id, and who asks as far as they may know of it. @throws Refused `not_found` */
async function namedBy(deps: RouteDeps, caller: Caller, request: FastifyRequest) {
  const reached = await eventOfPath(deps, caller, request);
  if (!reached) return { as: caller, params: request.params, event: null };
  const { event, caller: as } = reached;
  return { as, params: { ...(request.params as object), id: event.id }, event };
}

async function allFaults<P extends TSchema, Q extends TSchema, B extends TSchema, Url extends string>(
  deps: RouteDeps,
  caller: Caller,
  { rules, body }: Route<P, Q, B, Url>,
  request: FastifyRequest,
  refused: Error,
): Promise<Error> {
  if (!rules || !body) return refused;
  const { as, params } = await namedBy(deps, caller, request);
  return withFaultsOfRules(refused, body, request.body, (sorted) => rules(deps, as, { params } as never, sorted));
}

// No body at all lacks the same fields as an empty object.
async function emptyIsObject(request: FastifyRequest): Promise<void> {
  if (request.body === undefined) request.body = {};
}

const nothing = checkOf(NOTHING);

async function refuseFields(request: FastifyRequest): Promise<void> {
  nothing(request.body ?? {});
}

type Documented = Omit<Route<TSchema, TSchema, TSchema>, 'handle' | 'rules'>;

function schemaOf(route: Documented, keepsReply: boolean): FastifySchema {
  const { streams, accepts, name, tag, summary, description, params, body, answers } = route;
  return {
    operationId: name,
    tags: [tag],
    summary,
    ...(description ? { description } : {}),
    ...(params ? { params } : {}),
    querystring: route.query ?? NOTHING,
    ...(body ? { body } : {}),
    ...(route.produces ? { produces: [route.produces] } : {}),
    ...(streams ? { consumes: [streams] } : accepts ? { consumes: [...accepts] } : {}),
    headers: headersOf(route, keepsReply),
    response: answers,
    security: [{ bearer: [] }],
  };
}

function headersOf({ headers, ifMatch, ifNoneMatch }: Documented, keepsReply: boolean): TSchema {
  const told = (description: string, options = {}) => Type.Optional(Type.String({ description, ...options }));
  return Type.Object({
    ...headers,
    ...(keepsReply
      ? { 'idempotency-key': told('A retry with the same key within 24 h gets the first reply.', { format: 'key' }) }
      : {}),
    ...(ifMatch ? { 'if-match': told('The ETag that was read; any other is stale.') } : {}),
    ...(ifNoneMatch ? { 'if-none-match': told('The ETag that is known already.') } : {}),
  });
}
