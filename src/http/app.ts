import Fastify, { type FastifyInstance } from 'fastify';
import { newId } from '../core/ids.ts';
import { knownCallers } from '../people/known-callers.ts';
import { PUSH_HOSTS } from '../people/push-endpoint.ts';
import { compileLazily, lazySerializers } from './at-first-use.ts';
import { guardAccess } from './auth/access.ts';
import { feedRoutes } from './calendar/feed-routes.ts';
import { publicEventRoutes } from './calendar/public-event-routes.ts';
import { calendarRoutes } from './calendar/routes.ts';
import { statisticsRoutes } from './calendar/statistics-routes.ts';
import { clientConfigRoutes } from './client-config-routes.ts';
import { serveClient } from './client-files.ts';
import { compressAnswers } from './compressed.ts';
import { CONNECTION_LIMITS, limitConnections, serverOptions } from './connections.ts';
import type { HttpDeps, HttpOptions, RouteDeps } from './deps.ts';
import { errorHandler } from './error-handler.ts';
import { editRoutes } from './events/edit-routes.ts';
import { groupRoutes } from './events/group-routes.ts';
import { eventListRoutes } from './events/list-routes.ts';
import { messageRoutes } from './events/message-routes.ts';
import { occurrenceRoutes } from './events/occurrence-routes.ts';
import { optionRoutes } from './events/option-routes.ts';
import { eventRecordRoutes } from './events/record-routes.ts';
import { eventRoutes } from './events/routes.ts';
import { transitionRoutes } from './events/transition-routes.ts';
import { ingestRoutes } from './ingest/routes.ts';
import { readJsonOnly } from './json-body.ts';
import { inboxRoutes } from './live/inbox-routes.ts';
import { inboxStreamRoutes } from './live/inbox-stream-routes.ts';
import { openLive } from './live/live.ts';
import { documentRoutes } from './openapi/openapi.ts';
import { deliveryRoutes } from './operations/delivery-routes.ts';
import { healthRoutes } from './operations/health-routes.ts';
import { quarantineRoutes } from './operations/quarantine-routes.ts';
import { returnedMailRoutes } from './operations/returned-mail-routes.ts';
import { suppressionRoutes } from './operations/suppression-routes.ts';
import { twilioRoutes } from './operations/twilio-routes.ts';
import { contactRoutes } from './people/contact-routes.ts';
import { meRoutes } from './people/me-routes.ts';
import { preferenceRoutes } from './people/preference-routes.ts';
import { pushSubscriptionRoutes } from './people/push-subscription-routes.ts';
import { peopleRoutes } from './people/routes.ts';
import { schoolRoutes } from './people/school-routes.ts';
import { settingsRoutes } from './people/setting-routes.ts';
import { unsubscribeRoutes } from './people/unsubscribe-routes.ts';
import { problemRoutes } from './problem-routes.ts';
import { rateLimit } from './rate-limit.ts';
import { placeRoutes } from './registrations/place-routes.ts';
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
  occurrenceRoutes,
  groupRoutes,
  peopleRoutes,
  publicEventRoutes,
  feedRoutes,
  transitionRoutes,
  eventRecordRoutes,
  registrationRoutes,
  rosterRoutes,
  messageRoutes,
  contactRoutes,
  schoolRoutes,
  meRoutes,
  ingestRoutes,
  inboxRoutes,
  inboxStreamRoutes,
  preferenceRoutes,
  settingsRoutes,
  pushSubscriptionRoutes,
  quarantineRoutes,
  suppressionRoutes,
  deliveryRoutes,
  unsubscribeRoutes,
  placeRoutes,
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
  app.setNotFoundHandler((request, reply) => onError({ statusCode: 404 }, request, reply));
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
