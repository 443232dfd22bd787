import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyContextConfig, FastifyInstance, FastifySchema } from 'fastify';
import { Type } from 'typebox';
import { ERRORS, type ErrorCode } from '../../core/errors.ts';
import { stateTable } from '../../events/rules/lifecycle.ts';
import { PERMISSIONS } from '../../people/caller.ts';
import { SLOT } from '../../registrations/input.ts';
import { PROBLEM_PATH, PROBLEM_TYPE } from '../error-handler.ts';
import type { Routes } from '../route.ts';
import { described, FAULT, flag, named, oneOf, optional, stamp } from '../schemas/fields.ts';
import { descriptionOf } from './field-descriptions.ts';
import { FORMATS, type FormatName } from './formats.ts';

/** The groups of `ROUTES`. */
const TAGS = {
  events: 'Events, their timeline, reminders and messages',
  registrations: 'Registrations, check-in and the waitlist',
  messages: 'Messages of the school that belong to no event, and saved texts',
  files: 'Files of events and schools',
  people: 'The directory and the settings of the school',
  webhooks: 'Addresses that are sent the changes of events and registrations',
  deliveries: 'Sent and failed messages, addresses that take no more of them, and the queues',
  me: 'The inbox and the notification settings of the caller',
  public: 'Public events; no token needed',
  problems: 'Explanations of the error codes',
  health: 'Health checks',
};
export type Tag = keyof typeof TAGS;

/** Serves the OpenAPI 3.1 document, generated from the schemas of the routes, at /docs/json and as a page at /docs. */
export function documentRoutes(app: FastifyInstance, publicUrl: string): void {
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Schoolbell',
        version: '1',
        license: { name: 'All rights reserved', identifier: 'LicenseRef-Proprietary' },
        description:
          'Plan school events, take registrations and notify people. Errors are problem documents (RFC 9457) with one of ' +
          'the codes listed in `Problem`. Lists return `data`, `next_cursor` and `has_more`. Unknown fields and parameters ' +
          `are refused.\n\nThe actions that each state of an event allows, and the state they lead to:\n\n${stateTable()}`,
      },
      servers: [{ url: publicUrl }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
    refResolver: { buildLocalReference: (json, _base, _fragment, i) => String(json.$id ?? `schema${i}`) },
    transformObject: (made) => completeDocument('openapiObject' in made ? made.openapiObject : made.swaggerObject),
    transform: ({ schema, url, route }) => ({ url, schema: addProblems(schema, String(route.method), route.config) }),
  });
  app.register(async (docs) => {
    docs.addHook('onRoute', (route) => {
      route.config = { ...route.config, open: 'documentation' };
    });
    await docs.register(swaggerUi, { routePrefix: '/docs', staticCSP: true });
  });
}

/** Documents every error of a route and the permission that it needs. */
function addProblems(schema: FastifySchema, method: string, config: FastifyContextConfig = {}): FastifySchema {
  const { permission, open, hasDryRun } = config;
  const problems: Record<number, unknown> = {};
  const codes = codesOf(schema, method, config);
  for (const status of new Set(codes.map((code) => ERRORS[code].status))) {
    const description = codes.filter((code) => ERRORS[code].status === status).join(', ');
    problems[status] = { description, content: { [PROBLEM_TYPE]: { schema: { $ref: 'Problem#' } } } };
  }
  const permissions = permission ? PERMISSIONS[permission] : [];
  const needs = permission ? `Needs the permission ${permissions.join(' or ')}.` : '';
  const description = [schema.description, needs].filter(Boolean).join(' ');
  return {
    ...schema,
    ...(description ? { description } : {}),
    ...(open ? {} : { 'x-permissions': permissions }),
    response: { ...(schema.response as object), ...(hasDryRun ? dryRunResponse(schema) : {}), ...problems },
  };
}

/** Documents the response of a dry run. The serializer needs one schema per status, so the route can't declare it. */
function dryRunResponse({ response }: FastifySchema): Record<number, unknown> {
  const { 200: done } = response as { 200?: { description: string; headers?: unknown } };
  const dryRun = { $ref: 'DryRunResult#' };
  if (!done) return { 200: { ...dryRun, description: 'With dry_run: what would happen' } };
  const { description, headers, ...success } = done;
  return {
    200: { description: `${description}; with dry_run: what would happen`, headers, anyOf: [success, dryRun] },
  };
}

function codesOf(schema: FastifySchema, method: string, config: FastifyContextConfig): ErrorCode[] {
  const { permission, open, unlimited, refusals = [] } = config;
  if (open && unlimited) return [...refusals];
  // `malformed` and `too_large` also stand for an address that is faulty or too long, which no route sees.
  const always = ['validation_failed', 'internal', 'busy', 'rate_limited', 'malformed', 'too_large'] as const;
  const codes = new Set<ErrorCode>([...always, ...refusals]);
  if (open) return [...codes.add('not_found')];
  codes.add('unauthenticated');
  if (permission) codes.add('forbidden');
  if (method !== 'GET') codes.add('unsupported_media_type');
  const { properties = {} } = (schema.headers ?? {}) as { properties?: Record<string, unknown> };
  if ('x-view-as' in properties) codes.add('forbidden').add('not_found');
  if ('idempotency-key' in properties) codes.add('idempotency_in_flight').add('idempotency_key_reused');
  return [...codes];
}

type Member = Record<string, unknown>;
type Operation = { requestBody?: { required?: boolean; content: Record<string, { schema?: Member }> } };

const isMember = (value: unknown): value is Member => typeof value === 'object' && value !== null;

/**
 * Adds to the generated document what Fastify can't know: patterns for our own formats, because other tools don't know
 * them; descriptions of fields; which bodies are optional; and for `x-shape` the schema of a value that the handler
 * checks itself.
 */
function completeDocument<T extends object>(document: T): T {
  const { paths = {} } = document as { paths?: Record<string, Record<string, Operation>> };
  for (const { requestBody } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    if (!requestBody) continue;
    const needed = Object.values(requestBody.content).map(({ schema }) => schema?.required);
    requestBody.required = needed.some((names) => Array.isArray(names) && names.length > 0);
  }
  completeSchemas(document);
  return document;
}

function completeSchemas(value: unknown): void {
  if (!isMember(value)) return;
  addPattern(value);
  if (isMember(value.properties)) {
    for (const [name, property] of Object.entries(value.properties))
      if (isMember(property)) property.description ??= descriptionOf(name);
  }
  if (typeof value.in === 'string') value.description ??= descriptionOf(String(value.name));
  for (const inner of Object.values(value)) completeSchemas(inner);
}

function addPattern(value: Member): void {
  const { format } = value;
  const known = typeof format === 'string' && Object.hasOwn(FORMATS, format) ? FORMATS[format as FormatName] : null;
  if (known && 'pattern' in known && 'type' in value) value.pattern = known.pattern;
  if (typeof value['x-shape'] === 'string') {
    value.anyOf = [
      { $ref: `#/components/schemas/${value['x-shape']}` },
      { description: 'Any other value is answered as rejected.' },
    ];
    delete value['x-shape'];
  }
}

const code = oneOf(Object.keys(ERRORS) as ErrorCode[]);

/** The body of every error (RFC 9457). */
named(
  'Problem',
  {
    type: Type.String({ format: 'uri' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: optional(Type.String({ description: 'What went wrong and what you can do, in words.' })),
    instance: Type.String({
      description: 'The id of the request. The log has it for a 500, and for a 503 of the database.',
    }),
    code,
    errors: optional(Type.Array(FAULT)),
    current_status: optional(Type.String({ description: 'The status of the event now.' })),
    allowed_actions: optional(Type.Array(Type.String())),
    waitlist_enabled: flag('With `event_full`: whether you can join the waitlist.'),
    available_spots: optional(Type.Integer({ description: 'With `event_full`: how many places are free.' })),
    current_attendees: optional(
      Type.Integer({ description: 'With `capacity_below_occupied`: how many places are taken.' }),
    ),
    slots: optional(
      Type.Array(Type.Object(SLOT), { description: 'With `slot_taken` and `slots_overlap`: these times.' }),
    ),
    opens_at: optional({ ...stamp, description: 'With `check_in_not_open` and `check_in_over`: when check-in opens.' }),
    closes_at: optional({ ...stamp, description: 'With the same: when the code at the door ends.' }),
    max_bytes: optional(Type.Integer({ description: 'With `too_large` of a file: how many bytes it may have.' })),
    checks: optional(
      Type.Record(Type.String(), Type.String(), { description: 'With `busy` of `/health/ready`: each dependency.' }),
    ),
    user_id: optional(
      Type.String({ description: 'With the refusal of people who register together: the person it is about.' }),
    ),
    reason: optional(Type.String({ description: 'With some codes: a stable code of the cause.' })),
    claim: optional(Type.String({ description: 'With `unauthenticated`: the claim of the token that is at fault.' })),
  },
  { additionalProperties: true },
);

/** Serves the pages that the `type` of problem documents links to. */
export function problemRoutes(routes: Routes): void {
  routes.get(`${PROBLEM_PATH}/:code`, {
    access: { open: 'documentation' },
    name: 'getProblem',
    summary: 'Explain an error code',
    params: Type.Object({ code }),
    responses: {
      200: described('What the code means and what to do about it', {
        code,
        status: Type.Integer(),
        title: Type.String(),
        remedy: Type.String({ description: 'What you can do about it.' }),
      }),
    },
    handle: async (_deps, _caller, { params: { code } }) => {
      const headers = { 'cache-control': 'public, max-age=86400' };
      return { status: 200, headers, body: { code, ...ERRORS[code] } };
    },
  });
}
