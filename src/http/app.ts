import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import Fastify, { type FastifyInstance } from 'fastify';
import { newId } from '../core/ids.ts';
import { pick } from '../core/objects.ts';
import { PUSH_HOSTS } from '../people/push-endpoint.ts';
import { guardAccess } from './auth/access.ts';
import { clientConfigRoutes, tokenExchange } from './auth/sign-in.ts';
import { missingPages, serveClient } from './client-files.ts';
import { CONNECTION_LIMITS, limitConnections, serverOptions } from './connections.ts';
import type { HttpDeps, HttpOptions, RequestTrace, RouteDeps } from './deps.ts';
import { errorHandler, missingRoute, ROUTER_OPTIONS, unreadableHandler } from './error-handler.ts';
import { compressResponses, readJsonOnly, refuseCompressed, securityHeaders } from './hooks.ts';
import { openLive } from './live/live.ts';
import { documentRoutes } from './openapi/openapi.ts';
import { rateLimit } from './rate-limit.ts';
import { routesOf } from './route.ts';
import { ROUTES } from './routes.ts';
import { NAMED } from './schemas/fields.ts';
import { validatorCompiler } from './validator.ts';

const BODY_LIMIT = 256 * 1024;
/** Longer than any page of a list, whose serializer leaves out what its schema does not name. */
const LONG_ARRAY = 1_000;

/** Builds the HTTP application. It does not listen yet: `server.ts` does. */
export function buildApp(ports: HttpDeps, options: HttpOptions): FastifyInstance {
  const { verifyToken, log = false, onResponse, pushAllowedHosts = PUSH_HOSTS } = options;
  const { trustProxy: proxies = false } = options;
  const connections = { ...CONNECTION_LIMITS, ...options.connections };
  const { publicUrl, client, signIn = null, pushPublicKey = null, traceRequest } = options;
  const live = openLive({ ...ports, publicUrl }, options.streams, log);
  const deps: RouteDeps = { ...ports, publicUrl, pushAllowedHosts, pushPublicKey, live };
  const onError = errorHandler(deps, log);
  const secure = securityHeaders(publicUrl);
  const app = Fastify({
    bodyLimit: BODY_LIMIT,
    genReqId: newId,
    ...serverOptions(connections),
    trustProxy: typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxies,
    routerOptions: ROUTER_OPTIONS,
    // Fastify runs no hooks for a request that it cannot parse, so the security headers are added here.
    frameworkErrors: (error, request, reply) => onError(error, request, secure(request, reply)),
    clientErrorHandler: unreadableHandler(publicUrl),
    // Long arrays by JSON.stringify: the text that Fastify's serializers join costs a calendar a sixth of its CPU to collect.
    // Answers are not checked against our text formats, which the serializers do not know and would complain about on stderr.
    serializerOpts: {
      largeArraySize: LONG_ARRAY,
      largeArrayMechanism: 'json-stringify',
      ajv: { validateFormats: false },
    },
    schemaController: { compilersFactory: { buildSerializer: lazySerializers } },
  });
  app.setValidatorCompiler(compileLazily(validatorCompiler));
  app.setErrorHandler(onError);
  const refuse = missingRoute(app);
  const showMissing = client ? missingPages(client, signIn) : () => null;
  app.setNotFoundHandler((request, reply) => showMissing(request, reply) ?? onError(refuse(request), request, reply));
  for (const schema of NAMED) app.addSchema(schema);
  app.decorateRequest('trace', null);
  if (traceRequest) traceRequests(app, traceRequest);
  limitConnections(app, connections);
  refuseCompressed(app);
  readJsonOnly(app);
  guardAccess(app, { ...deps, verifyToken, limit: rateLimit(app, options.rateLimit ?? 0) });
  app.addHook('onSend', async (request, reply) => void secure(request, reply));
  compressResponses(app);
  // Close the streams first: the server waits for open connections, and streams never end by themselves.
  app.addHook('preClose', () => live.close());
  if (log) {
    app.addHook('onResponse', async ({ method, routeOptions, id: requestId, trace }, reply) => {
      const [status, ms] = [reply.statusCode, Math.round(reply.elapsedTime * 10) / 10];
      const details = { requestId, method, route: routeOptions.url, status, ms, traceId: trace?.traceId };
      log.debug(details, 'http.request.completed');
    });
  }
  if (onResponse) {
    app.addHook('onResponse', async ({ method, routeOptions }, reply) => {
      if (routeOptions.config?.endless) return;
      const { url: route = 'none' } = routeOptions;
      onResponse({ method, route, status: reply.statusCode, seconds: reply.elapsedTime / 1000 });
    });
  }
  documentRoutes(app, publicUrl);
  // Register the routes after the documentation plugin, which must see each of them.
  app.register(async (api) => {
    for (const [tag, groups] of Object.entries(ROUTES)) {
      const routes = routesOf(api, deps, tag);
      for (const add of groups) add(routes);
    }
    clientConfigRoutes(routesOf(api, deps, 'public'), signIn);
    if (signIn?.exchange) tokenExchange(api, signIn.exchange);
    if (client) serveClient(api, client, signIn);
  });
  return app;
}

declare module 'fastify' {
  interface FastifyRequest {
    trace: RequestTrace | null;
  }
}

/** Traces the requests of people and services; streams would never end, and health checks and files say nothing. */
function traceRequests(app: FastifyInstance, traceRequest: NonNullable<HttpOptions['traceRequest']>): void {
  app.addHook('onRequest', async (request) => {
    const { method, headers, routeOptions } = request;
    const { url: route, config } = routeOptions;
    if (route === undefined || config.endless || config.unlimited) return;
    const { traceparent } = headers;
    request.trace = traceRequest({ method, route, ...(typeof traceparent === 'string' ? { traceparent } : {}) });
  });
  // Entered after the body is read, because a connection emits the events of the body outside of the trace.
  app.addHook('preHandler', ({ trace }, _reply, done) => (trace ? trace.run(done) : done()));
  app.addHook('onResponse', async ({ trace }, reply) => trace?.end(reply.statusCode));
}

/**
 * Compiles each of Fastify's serializers when its route first answers. The compiler gets only the named schemas that the route
 * refers to, because it checks every schema that it gets, for each route (docs/performance.md). A test calls every documented
 * route, so a schema that does not compile is found before a release.
 */
export const lazySerializers: ReturnType<typeof SerializerSelector> = (named, options) =>
  compileLazily((route) => {
    const schemas: Record<string, unknown> = Object(named);
    return SerializerSelector()(pick(schemas, [...namesIn(route.schema, schemas)]), options)(route);
  });

/** Collects in `found` the names of the schemas that a schema refers to, itself or through one of them. */
function namesIn(schema: unknown, named: Record<string, unknown>, found = new Set<string>()): Set<string> {
  for (const [, name = ''] of JSON.stringify(schema).matchAll(/"\$ref":"(\w+)#"/g))
    if (!found.has(name)) namesIn(named[name], named, found.add(name));
  return found;
}

/** Wraps a compiler so that it compiles a route at the first request and then reuses the result. */
const compileLazily =
  <Route, In extends unknown[], Out>(compile: (route: Route) => (...input: In) => Out) =>
  (route: Route) => {
    let compiled: ((...input: In) => Out) | undefined;
    return (...input: In): Out => {
      compiled ??= compile(route);
      return compiled(...input);
    };
  };
