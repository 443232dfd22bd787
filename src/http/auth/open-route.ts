import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import type { ErrorCode } from '../../core/errors.ts';
import type { Answer, Asked } from '../route.ts';

export type OpenRoute<P extends TSchema, Q extends TSchema> = {
  url: string;
  /** the reason why no token is needed */
  open: string;
  /** operationId */
  name: string;
  tag: string;
  summary: string;
  description?: string;
  params: P;
  query?: Q;
  answers: Record<number, TSchema>;
  /** media type of the answer; default: JSON */
  produces?: string;
  refusals?: readonly ErrorCode[];
  handle: (asked: Asked<Static<P>, Static<Q>, unknown>) => Promise<Answer>;
};

const NOTHING = Type.Object({}, { additionalProperties: false });

/** Adds a GET route that needs no token. */
export function addOpenRoute<P extends TSchema, Q extends TSchema>(app: FastifyInstance, route: OpenRoute<P, Q>): void {
  const { url, open, name, tag, summary, description, params, query = NOTHING, answers, produces } = route;
  app.get(
    url,
    {
      config: { open, refusals: ['not_found', 'validation_failed', 'internal', 'busy', ...(route.refusals ?? [])] },
      schema: {
        operationId: name,
        tags: [tag],
        summary,
        ...(description ? { description } : {}),
        ...(produces ? { produces: [produces] } : {}),
        params,
        querystring: query,
        headers: Type.Object({
          'if-none-match': Type.Optional(
            Type.String({ description: 'The ETag that you have. If nothing has changed, the answer is 304.' }),
          ),
        }),
        response: answers,
        security: [],
      },
    },
    async (request: FastifyRequest, reply: FastifyReply) => {
      const asked = { params: request.params, query: request.query, body: undefined, headers: request.headers };
      const { status, body, headers = {} } = await route.handle(asked as Asked<Static<P>, Static<Q>, unknown>);
      return reply.code(status).headers(headers).send(body);
    },
  );
}
