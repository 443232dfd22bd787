import type { IncomingHttpHeaders } from 'node:http';
import type { FastifySchema } from 'fastify';
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { ErrorCode, FieldFault } from '../core/errors.ts';
import type { RecordReply } from '../core/idempotency-record.ts';
import type { Caller } from '../people/caller.ts';
import type { Access } from './auth/access.ts';
import type { RouteDeps } from './deps.ts';
import type { EventBelow } from './events/event-of-path.ts';
import type { CheckedFields } from './validator.ts';

export type ApiResponse = {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** the result of a dry run; written as plain JSON because the route's schema describes another response */
  isDryRun?: true;
};

/** The parameters that an address names, such as `:id`. */
type ParamsOf<Url extends string> = Url extends `${string}/:${infer Name}/${infer More}`
  ? Record<Name, string> & ParamsOf<`/${More}`>
  : Url extends `${string}/:${infer Name}`
    ? Record<Name, string>
    : unknown;

/** The request of a handler; `event` is the event of the path, which the caller may read. */
export type RouteInput<Url extends string, P, Q, B> = {
  params: ParamsOf<Url> & P;
  query: Q;
  body: B;
  headers: IncomingHttpHeaders;
  event: EventBelow<Url>;
};

/** A route without a token has no caller. */
export type CallerOf<A extends Access> = A extends { open: string } ? null : Caller;

/** One operation of the API. Documentation, validation and handler all come from it. */
export type Route<P extends TSchema, Q extends TSchema, B extends TSchema, Url extends string, A extends Access, R> = {
  access: A;
  /** operationId */
  name: string;
  /** default: the tag of its group in `ROUTES` */
  tag?: string;
  summary: string;
  description?: string;
  /** parameters of the path; default: any text */
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
  /** media type of the response; default: JSON */
  produces?: string;
  responses: Record<number, TSchema>;
  /** error codes besides those of every route; for the documentation */
  refusals?: readonly ErrorCode[];
  /** accepts `dry_run` and then responds 200 with a DryRunResult */
  hasDryRun?: true;
  /** the response contains a secret, so it is never stored: a retry gets a new one */
  returnsSecret?: boolean;
  /** request headers in addition to the common ones */
  headers?: Record<string, TSchema>;
  /** the response is an endless stream, so HEAD is not supported */
  endless?: true;
  /** repeating the request is harmless, so an idempotency key has no effect */
  repeatable?: true;
  /** bytes; default: the limit of the application */
  bodyLimit?: number;
  ifMatch?: boolean;
  ifNoneMatch?: boolean;
  /** checks the rules between fields of a body that its schema refuses, so that one response names all faults */
  rules?: (
    deps: RouteDeps,
    caller: Caller,
    event: EventBelow<Url>,
    fields: CheckedFields,
  ) => Promise<readonly FieldFault[]>;
  /** takes a short code that could be guessed: few tries a minute */
  takesCode?: true;
} & Handler<[deps: RouteDeps, caller: CallerOf<A>, input: RouteInput<Url, Static<P>, Static<Q>, Static<B>>], R>;

type Handler<Given extends unknown[], R> =
  | { handle: (...given: Given) => Promise<ApiResponse> }
  /** returns the body of the only response, if it needs no header */
  | { result: (...given: Given) => Promise<unknown> }
  /** makes a change in a transaction that it shares with other requests; it also stores the reply, made by `respond` */
  | { change: (...given: [...Given, recordReply?: RecordReply<R>]) => Promise<R>; respond: (result: R) => ApiResponse };

export const NOTHING = Type.Object({}, { additionalProperties: false });

/** The parts of a route that its documentation and the checks of its requests come from. */
type Documented = Omit<
  Route<TSchema, TSchema, TSchema, string, Access, unknown>,
  'handle' | 'result' | 'change' | 'respond' | 'rules'
>;

/** The parameters of a path are texts, unless the route describes them. */
function paramsOf(url: string, params: TSchema = Type.Object({})): TSchema {
  const texts = [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, Type.String()]);
  return Type.Object({ ...Object.fromEntries(texts), ...(params as TObject).properties });
}

export function schemaOf(url: string, route: Documented, isIdempotent: boolean, followsView: boolean): FastifySchema {
  const { access, streams, accepts, name, tag, summary, description, params, body, responses } = route;
  return {
    operationId: name,
    ...(tag ? { tags: [tag] } : {}),
    summary,
    ...(description ? { description } : {}),
    ...(url.includes(':') ? { params: paramsOf(url, params) } : {}),
    querystring: route.query ?? NOTHING,
    ...(body ? { body } : {}),
    ...(route.produces ? { produces: [route.produces] } : {}),
    ...(streams ? { consumes: [streams] } : accepts ? { consumes: [...accepts] } : {}),
    headers: headersOf(route, isIdempotent, followsView),
    response: responses,
    security: 'open' in access ? [] : [{ bearer: [] }],
  };
}

const KEY = 'Makes the request safe to repeat: within 24 hours, a request with the same key gets the first reply.';
const VIEW = 'Shows what someone else would see: `role:parent`, or `person:` with a user id.';
const KNOWN = 'The ETag that you read. If it has changed since, the response is 412.';
const CACHED = 'The ETag that you have. If nothing has changed, the response is 304.';

function headersOf(
  { access, headers, ifMatch, ifNoneMatch = 'open' in access }: Documented,
  isIdempotent: boolean,
  followsView: boolean,
): TSchema {
  const header = (description: string, options = {}) => Type.Optional(Type.String({ description, ...options }));
  return Type.Object({
    ...headers,
    ...(isIdempotent && { 'idempotency-key': header(KEY, { format: 'key' }) }),
    ...(followsView && { 'x-view-as': header(VIEW) }),
    ...(ifMatch && { 'if-match': header(KNOWN) }),
    ...(ifNoneMatch && { 'if-none-match': header(CACHED) }),
  });
}
