import Fastify, { type FastifyInstance } from 'fastify';
import { newId } from '../kernel/ids.ts';
import { knownCallers } from '../people/known-callers.ts';
import { PUSH_HOSTS } from '../people/push-endpoint.ts';
import { guardAccess } from './access.ts';
import { atFirstUse, serializersAtFirstUse } from './at-first-use.ts';
import { serveClient } from './client-files.ts';
import { compressAnswers } from './compressed.ts';
import { CONNECTION_LIMITS, limitConnections, serverOptions } from './connections.ts';
import type { HttpDeps, HttpOptions, RouteDeps } from './deps.ts';
import { errorHandler } from './error-handler.ts';
import { readJsonOnly } from './json-body.ts';
import { openLive } from './live/live.ts';
import { documentRoutes } from './openapi.ts';
import { rateLimit } from './rate-limit.ts';
import { calendarRoutes } from './routes/calendar.ts';
import { clientConfigRoutes } from './routes/client-config.ts';
import { contactRoutes } from './routes/contacts.ts';
import { deliveryRoutes } from './routes/deliveries.ts';
import { editRoutes } from './routes/edits.ts';
import { eventListRoutes } from './routes/event-list.ts';
import { eventRecordRoutes } from './routes/event-records.ts';
import { eventRoutes } from './routes/events.ts';
import { feedRoutes } from './routes/feeds.ts';
import { groupRoutes } from './routes/groups.ts';
import { healthRoutes } from './routes/health.ts';
import { inboxRoutes } from './routes/inbox.ts';
import { inboxStreamRoutes } from './routes/inbox-stream.ts';
import { ingestRoutes } from './routes/ingest.ts';
import { meRoutes } from './routes/me.ts';
import { messageRoutes } from './routes/messages.ts';
import { moveRoutes } from './routes/moves.ts';
import { occurrenceRoutes } from './routes/occurrences.ts';
import { optionRoutes } from './routes/options.ts';
import { peopleRoutes } from './routes/people.ts';
import { placeRoutes } from './routes/place.ts';
import { preferenceRoutes } from './routes/preferences.ts';
import { problemRoutes } from './routes/problems.ts';
import { publicEventRoutes } from './routes/public-events.ts';
import { pushSubscriptionRoutes } from './routes/push-subscriptions.ts';
import { quarantineRoutes } from './routes/quarantine.ts';
import { registrationRoutes } from './routes/registrations.ts';
import { returnedMailRoutes } from './routes/returned-mail.ts';
import { rosterRoutes } from './routes/rosters.ts';
import { schoolRoutes } from './routes/school.ts';
import { settingsRoutes } from './routes/settings.ts';
import { statisticsRoutes } from './routes/statistics.ts';
import { suppressionRoutes } from './routes/suppressions.ts';
import { twilioRoutes } from './routes/twilio.ts';
import { unsubscribeRoutes } from './routes/unsubscribe.ts';
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
  moveRoutes,
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

/** Builds the HTTP side of the service; listening is the server's. */
export function buildApp(ports: HttpDeps, options: HttpOptions): FastifyInstance {
  const { verifyToken, log = false, bodyLimit = BODY_LIMIT, pushAllowedHosts = PUSH_HOSTS } = options;
  const { trustProxy: proxies = false } = options;
  const connections = { ...CONNECTION_LIMITS, ...options.connections };
  const { client = [], signIn = null, pushPublicKey = null } = options;
  const publicUrl = options.publicUrl.replace(/\/+$/, '');
  const live = openLive(ports, options.streams, log);
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
    // A request that cannot be read meets no hook.
    frameworkErrors: (error, request, reply) => onError(error, request, secure(request, reply)),
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    schemaController: { compilersFactory: { buildSerializer: serializersAtFirstUse } },
  });
  app.setValidatorCompiler(atFirstUse(validatorCompiler));
  app.setErrorHandler(onError);
  app.setNotFoundHandler((request, reply) => onError({ statusCode: 404 }, request, reply));
  for (const schema of SHARED) app.addSchema(schema);
  limitConnections(app, connections);
  readJsonOnly(app);
  guardAccess(app, {
    ...deps,
    verifyToken,
    limit: rateLimit(options.rateLimit ?? 0),
    complete: knownCallers(deps),
  });
  app.addHook('onSend', async (request, reply) => void secure(request, reply));
  compressAnswers(app);
  // Before the server waits for its open connections.
  app.addHook('preClose', () => live.close());
  if (log) {
    app.addHook('onResponse', async (request, reply) => {
      const { method, routeOptions, id: requestId } = request;
      const ms = Math.round(reply.elapsedTime * 10) / 10;
      log.debug({ requestId, method, route: routeOptions.url, status: reply.statusCode, ms }, 'http.answered');
    });
  }
  documentRoutes(app, publicUrl);
  // After the documentation's plugin, which has to see each of them.
  app.register(async (api) => {
    for (const add of ROUTES) add(api, deps);
    clientConfigRoutes(signIn)(api);
    serveClient(api, client, signIn);
  });
  return app;
}
