import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { Answer, Asked } from '../route.ts';
import { type Documented, schemaOf } from '../route-schema.ts';

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
