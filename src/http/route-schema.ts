import type { FastifySchema } from 'fastify';
import { type TObject, type TSchema, Type } from 'typebox';
import type { Access } from './auth/access.ts';
import type { Route } from './route.ts';

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
const KNOWN = 'The ETag that you read. If the event has changed since, the response is 412.';
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
