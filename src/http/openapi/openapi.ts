import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyContextConfig, FastifyInstance, FastifySchema } from 'fastify';
import { ERRORS, type ErrorCode } from '../../core/errors.ts';
import { stateTable } from '../../events/rules/lifecycle.ts';
import { PERMISSIONS } from '../../people/permissions.ts';
import { EVENTS } from '../paths.ts';
import { PROBLEM_TYPE } from '../problem.ts';
import { finished } from './document.ts';

/** The OpenAPI 3.1 document, made from the schemas of the routes, at /docs/json, and a page to read it at /docs. */
export function documentRoutes(app: FastifyInstance, publicUrl: string): void {
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Schoolbell',
        version: '1',
        license: { name: 'All rights reserved', identifier: 'LicenseRef-Proprietary' },
        description:
          'School events from draft to done. Errors are problem documents (RFC 9457) with one of the codes listed in ' +
          '`Problem`; lists answer `data`, `next_cursor`, `has_more`; unknown fields and parameters are refused.\n\n' +
          `What can be done with an event in which state, and where it leads:\n\n${stateTable()}`,
      },
      servers: [{ url: publicUrl }],
      tags: [
        { name: 'events', description: 'Events and what is kept about them' },
        { name: 'registrations', description: 'Who comes' },
        { name: 'people', description: 'The directory and the school' },
        { name: 'me', description: 'What the caller gets and wants' },
        { name: 'public', description: 'What is shown without a token' },
        { name: 'problems', description: 'What error codes mean' },
        { name: 'health', description: 'For the platform' },
      ],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
    refResolver: { buildLocalReference: (json, _base, _fragment, i) => String(json.$id ?? `schema${i}`) },
    transformObject: (told) => finished('openapiObject' in told ? told.openapiObject : told.swaggerObject),
    transform: ({ schema, url, route }) => ({
      schema: withProblems(schema, url, String(route.method), route.config),
      url,
    }),
  });
  app.register(async (docs) => {
    docs.addHook('onRoute', (route) => {
      route.config = { ...route.config, open: 'documentation' };
    });
    await docs.register(swaggerUi, { routePrefix: '/docs', staticCSP: true });
  });
}

/** Adds to the answers of a route every refusal it can meet, and says which permission it needs. */
function withProblems(
  schema: FastifySchema,
  url: string,
  method: string,
  config: FastifyContextConfig = {},
): FastifySchema {
  const { permission, open, foresees } = config;
  const problems: Record<number, unknown> = {};
  const codes = codesOf(schema, url, method, config);
  for (const status of new Set(codes.map((code) => ERRORS[code].status))) {
    const description = codes.filter((code) => ERRORS[code].status === status).join(', ');
    problems[status] = { description, content: { [PROBLEM_TYPE]: { schema: { $ref: 'Problem#' } } } };
  }
  const permissions = permission ? PERMISSIONS[permission] : [];
  const needs = permission ? `Needs ${permissions.join(' or ')}.` : '';
  const description = [schema.description, needs].filter(Boolean).join(' ');
  return {
    ...schema,
    ...(description ? { description } : {}),
    ...(open ? {} : { 'x-permissions': permissions }),
    response: { ...(schema.response as object), ...(foresees ? foreseen(schema) : {}), ...problems },
  };
}

/** Serializing knows one schema for an answer; the document tells of the other one too. */
function foreseen({ response }: FastifySchema): Record<number, unknown> {
  const { 200: done } = response as { 200?: { $ref: string; description: string; headers: unknown } };
  const foresight = { $ref: 'Foresight#' };
  if (!done) return { 200: { ...foresight, description: 'With dry_run: what would happen' } };
  const { $ref, description, headers } = done;
  return {
    200: { description: `${description}; with dry_run: what would happen`, headers, anyOf: [{ $ref }, foresight] },
  };
}

function codesOf(schema: FastifySchema, url: string, method: string, config: FastifyContextConfig): ErrorCode[] {
  const { permission, open, unlimited, refusals = [] } = config;
  if (open) return unlimited ? [...refusals] : [...refusals, 'rate_limited'];
  const codes = new Set<ErrorCode>([
    'unauthenticated',
    'rate_limited',
    'validation_failed',
    'internal',
    'busy',
    ...refusals,
  ]);
  if (permission) codes.add('forbidden');
  if (url.startsWith(`${EVENTS}/:id`)) codes.add('not_found');
  if (method !== 'GET') codes.add('malformed').add('too_large').add('unsupported_media_type');
  const { properties = {} } = (schema.headers ?? {}) as { properties?: Record<string, unknown> };
  if ('idempotency-key' in properties) codes.add('idempotency_in_flight').add('idempotency_key_reused');
  return [...codes];
}
