import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import Fastify, { type FastifyInstance } from 'fastify';
import { newId } from '../core/ids.ts';
import { knownCallers } from '../people/known-callers.ts';
import { PUSH_HOSTS } from '../people/push-endpoint.ts';
import { guardAccess } from './auth/access.ts';
import { feedRoutes } from './calendar/feed-routes.ts';
import { publicEventRoutes } from './calendar/public-event-routes.ts';
import { calendarRoutes } from './calendar/routes.ts';
import { statisticsRoutes } from './calendar/statistics-routes.ts';
import { clientConfigRoutes, missingPages, serveClient } from './client-files.ts';
import { compressAnswers } from './compressed.ts';
import { CONNECTION_LIMITS, limitConnections, serverOptions } from './connections.ts';
import type { HttpDeps, HttpOptions, RouteDeps } from './deps.ts';
import { errorHandler } from './error-handler.ts';
import { editRoutes } from './events/edit-routes.ts';
import { eventListRoutes } from './events/list-routes.ts';
import { messageRoutes } from './events/message-routes.ts';
import { optionRoutes } from './events/option-routes.ts';
import { eventRecordRoutes } from './events/record-routes.ts';
import { eventRoutes } from './events/routes.ts';
import { transitionRoutes } from './events/transition-routes.ts';
import { undoRoutes } from './events/undo-routes.ts';
import { fileRoutes } from './files/routes.ts';
import { ingestRoutes } from './ingest/routes.ts';
import { readJsonOnly } from './json-body.ts';
import { linkPages } from './link-pages.ts';
import { inboxRoutes } from './live/inbox-routes.ts';
import { openLive } from './live/live.ts';
import { missingRoute } from './missing-route.ts';
import { documentRoutes } from './openapi/openapi.ts';
import { answerRoutes } from './operations/answer-routes.ts';
import { deliveryRoutes } from './operations/delivery-routes.ts';
import { healthRoutes } from './operations/health-routes.ts';
import { suppressionRoutes } from './operations/suppression-routes.ts';
import { returnedMailRoutes, twilioRoutes } from './operations/twilio-routes.ts';
import { contactRoutes } from './people/contact-routes.ts';
import { meRoutes } from './people/me-routes.ts';
import { schoolRoutes } from './people/school-routes.ts';
import { problemRoutes } from './problem.ts';
import { rateLimit } from './rate-limit.ts';
import { checkInRoutes } from './registrations/check-in-routes.ts';
import { rosterRoutes } from './registrations/roster-routes.ts';
import { registrationRoutes } from './registrations/routes.ts';
import { SHARED } from './schemas/shared.ts';
import { securityHeaders } from './security-headers.ts';
import { validatorCompiler } from './validator.ts';

const BODY_LIMIT = 256 * 1024;

const ROUTES = [
  eventRoutes,
  editRoutes,
  eventListRoutes,
  calendarRoutes,
  statisticsRoutes,
  optionRoutes,
  publicEventRoutes,
  feedRoutes,
  transitionRoutes,
  undoRoutes,
  eventRecordRoutes,
  registrationRoutes,
  checkInRoutes,
  rosterRoutes,
  messageRoutes,
  fileRoutes,
  contactRoutes,
  schoolRoutes,
  meRoutes,
  ingestRoutes,
  inboxRoutes,
  suppressionRoutes,
  answerRoutes,
  deliveryRoutes,
  linkPages,
  twilioRoutes,
  returnedMailRoutes,
  healthRoutes,
  problemRoutes,
];

/** Builds the HTTP application. It does not listen yet: `server.ts` does. */
export function buildApp(ports: HttpDeps, options: HttpOptions): FastifyInstance {
  const { verifyToken, log = false, bodyLimit = BODY_LIMIT, pushAllowedHosts = PUSH_HOSTS } = options;
  const { trustProxy: proxies = false } = options;
  const connections = { ...CONNECTION_LIMITS, ...options.connections };
  const { client, signIn = null, pushPublicKey = null } = options;
  const publicUrl = options.publicUrl.replace(/\/+$/, '');
  const live = openLive({ ...ports, publicUrl }, options.streams, log);
  const deps: RouteDeps = { ...ports, publicUrl, pushAllowedHosts, pushPublicKey, live };
  const onError = errorHandler(deps, log);
  const secure = securityHeaders(publicUrl);
  const app = Fastify({
    logger: false,
    bodyLimit,
    genReqId: newId,
    ...serverOptions(connections),
    trustProxy: typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxies,
    routerOptions: { maxParamLength: 1024 },
    // Fastify runs no hooks for a request that it cannot parse, so the security headers are added here.
    frameworkErrors: (error, request, reply) => onError(error, request, secure(request, reply)),
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    schemaController: { compilersFactory: { buildSerializer: lazySerializers } },
  });
  app.setValidatorCompiler(compileLazily(validatorCompiler));
  app.setErrorHandler(onError);
  const refuse = missingRoute(app);
  const showMissing = client ? missingPages(client, signIn) : () => null;
  app.setNotFoundHandler((request, reply) => showMissing(request, reply) ?? onError(refuse(request), request, reply));
  for (const schema of SHARED) app.addSchema(schema);
  limitConnections(app, connections);
  readJsonOnly(app);
  guardAccess(app, {
    ...deps,
    verifyToken,
    limit: rateLimit(app, options.rateLimit ?? 0),
    completeCaller: knownCallers(deps),
  });
  app.addHook('onSend', async (request, reply) => void secure(request, reply));
  compressAnswers(app);
  // Close the streams first: the server waits for open connections, and streams never end by themselves.
  app.addHook('preClose', () => live.close());
  if (log) {
    app.addHook('onResponse', async (request, reply) => {
      const { method, routeOptions, id: requestId } = request;
      const ms = Math.round(reply.elapsedTime * 10) / 10;
      log.debug({ requestId, method, route: routeOptions.url, status: reply.statusCode, ms }, 'http.request.completed');
    });
  }
  documentRoutes(app, publicUrl);
  // Register the routes after the documentation plugin, which must see each of them.
  app.register(async (api) => {
    for (const add of ROUTES) add(api, deps);
    clientConfigRoutes(signIn)(api);
    if (client) serveClient(api, client, signIn);
  });
  return app;
}

type Compile<Route, Compiled> = (route: Route) => Compiled;

/**
 * Compiles each of Fastify's serializers when its route first answers: compiling all of them takes a quarter of the
 * API's start-up time. A test calls every documented route, so a schema that does not compile is found before a release.
 */
const lazySerializers: ReturnType<typeof SerializerSelector> = (...options) =>
  compileLazily(SerializerSelector()(...options));

/** Wraps a compiler so that it compiles a route at the first request and then reuses the result. */
const compileLazily =
  <Route, In extends unknown[], Out>(
    compile: Compile<Route, (...input: In) => Out>,
  ): Compile<Route, (...input: In) => Out> =>
  (route) => {
    let compiled: ((...input: In) => Out) | undefined;
    return (...input) => {
      compiled ??= compile(route);
      return compiled(...input);
    };
  };
