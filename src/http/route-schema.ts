import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { Answer, Asked, Route } from './route.ts';

export const NOTHING = Type.Object({}, { additionalProperties: false });

/** The parts of a route that its documentation and the checks of its requests come from. */
type Documented = Omit<Route<TSchema, TSchema, TSchema, string>, 'handle' | 'result' | 'rules' | 'access'>;

/** The parameters of a path are texts, unless the route describes them. */
function paramsOf(url: string, params: TSchema = Type.Object({})): TSchema {
  const texts = [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, Type.String()]);
  return Type.Object({ ...Object.fromEntries(texts), ...(params as TObject).properties });
}

export function schemaOf(url: string, route: Documented, isIdempotent: boolean, followsView = false): FastifySchema {
  const { streams, accepts, name, tag, summary, description, params, body, answers } = route;
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

export type OpenRoute<P extends TSchema, Q extends TSchema, Url extends string> = Omit<Documented, 'query'> & {
  /** the reason why no token is needed */
  open: string;
  params?: P;
  query?: Q;
  handle: (asked: Asked<Url, Static<P>, Static<Q>, unknown>) => Promise<Answer>;
};

/** Adds a GET route that needs no token. */
export function addOpenRoute<P extends TSchema, Q extends TSchema, Url extends string>(
  app: FastifyInstance,
  url: Url,
  route: OpenRoute<P, Q, Url>,
): void {
  const { open, refusals = [] } = route;
  app.get(
    url,
    {
      config: { open, refusals: ['not_found', 'validation_failed', 'internal', 'busy', ...refusals] },
      schema: { ...schemaOf(url, { ...route, ifNoneMatch: true }, false), security: [] },
    },
    async (request: FastifyRequest, reply: FastifyReply) => {
      const asked = { params: request.params, query: request.query, body: undefined, headers: request.headers };
      const { status, body, headers = {} } = await route.handle(asked as Asked<Url, Static<P>, Static<Q>, unknown>);
      return reply.code(status).headers(headers).send(body);
    },
  );
}
