import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import router from 'find-my-way';
import { databaseAway, ERRORS, type ErrorCode, type Refusal, Refused } from '../core/errors.ts';
import type { StoredReply } from '../core/idempotency-record.ts';
import { newId } from '../core/ids.ts';
import { endSlow } from './connections.ts';
import type { RouteDeps } from './deps.ts';
import { loadEventOfPath } from './events/event-of-path.ts';
import type { HttpLog } from './log.ts';

export const PROBLEM_TYPE = 'application/problem+json';

/** The path of the pages that explain problem codes. */
export const PROBLEM_PATH = '/problems';

/** Builds a problem document (RFC 9457). It contains nothing about the inside of the service. */
export function problemReply(refusal: Refusal, requestId: string, publicUrl: string): StoredReply {
  const { code, detail, errors, extra, retryAfter, allow } = refusal;
  const { status, title } = ERRORS[code];
  const headers: Record<string, string> = { 'content-type': PROBLEM_TYPE };
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  if (status === 429 || status === 503) headers['retry-after'] = String(Math.max(1, Math.ceil(retryAfter ?? 1)));
  if (allow) headers.allow = allow.join(', ');
  const body = JSON.stringify({
    type: `${publicUrl}${PROBLEM_PATH}/${code}`,
    title,
    status,
    detail,
    instance: `urn:uuid:${requestId}`,
    code,
    errors,
    ...extra,
  });
  return { status, headers, body };
}

/** Longer parameters of a path answer 404; the tokens of links are longer than the default of 100 characters. */
export const ROUTER_OPTIONS = { maxParamLength: 1024 };

/** Tells an unknown address (404) from a method that the address does not support (405 with `Allow`). */
export function missingRoute(app: FastifyInstance): (request: FastifyRequest) => Refused {
  // Fastify does not offer its own router.
  const urls = router(ROUTER_OPTIONS);
  app.addHook('onRoute', ({ method, url }) => {
    const known: Set<string> | undefined = urls.findRoute('GET', url)?.store;
    const methods = known ?? new Set();
    for (const each of [method].flat()) methods.add(each);
    if (!known) urls.on('GET', url, () => {}, methods);
  });
  return ({ url }) => {
    const methods: ReadonlySet<string> = urls.find('GET', url)?.store ?? new Set();
    if (methods.size === 0) return new Refused({ code: 'not_found' });
    const allow = [...methods].sort();
    return new Refused({ code: 'method_not_allowed', detail: `Use ${allow.join(', ')}.`, allow });
  };
}

/** Codes of refusals that come before the event is loaded. */
const BEFORE_LOAD = new Set<ErrorCode>(['malformed', 'too_large', 'unsupported_media_type', 'validation_failed']);

/**
 * Turns every error into a response. An error that is neither a refusal nor the client's fault is logged with the
 * request id and answered as `internal`, or as `busy` if the database does not answer, without its message.
 */
export function errorHandler(deps: RouteDeps, log: HttpLog | false) {
  return async (thrown: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    let refusal = withLimits(refusalOf(thrown), request);
    // Answer 404 first if the caller may not see the event: a validation error would reveal that it exists.
    if (refusal && BEFORE_LOAD.has(refusal.code) && request.caller) {
      refusal = await loadEventOfPath(deps, request.caller, request).then(() => refusal, refusalOf);
    }
    const ids = { requestId: request.id, traceId: request.trace?.traceId, route: request.routeOptions.url };
    const isAway = !refusal && deps.isUnavailable(thrown);
    if (isAway) refusal = databaseAway().refusal;
    const error = isAway ? thrown : refusal?.code === 'busy' && (thrown as Error).cause;
    if (error && log) log.warn({ ...ids, error }, 'http.request.unavailable');
    if (!refusal && log) log.error({ ...ids, ...redactedError(thrown) }, 'http.request.failed');
    return sendReply(reply, problemReply(refusal ?? { code: 'internal' }, request.id, deps.publicUrl));
  };
}

/**
 * Answers bytes that are not an HTTP request, and a head that is too long, before there is a request. A client that was too slow
 * gets the status 408 without a body.
 */
export const unreadableHandler =
  (publicUrl: string) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return void endSlow(socket);
    const refusal: Refusal =
      error.code === 'HPE_HEADER_OVERFLOW'
        ? { code: 'too_large', detail: 'The address and the headers are too long.' }
        : { code: 'malformed', detail: 'This is not a complete HTTP request.' };
    const { status, headers, body } = problemReply(refusal, newId(), publicUrl);
    const sent = { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' };
    const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} \r\n${lines.join('')}\r\n${body}`);
  };

/** Names the content type or the size that the route accepts. */
function withLimits(refusal: Refusal | null, { routeOptions }: FastifyRequest): Refusal | null {
  const { schema, bodyLimit } = routeOptions;
  const { consumes = ['application/json'] } = (schema ?? {}) as { consumes?: readonly string[] };
  if (refusal?.code === 'unsupported_media_type')
    return { detail: `Send \`content-type: ${consumes.join('` or `')}\` with a body in UTF-8.`, ...refusal };
  if (refusal?.code === 'too_large') return { detail: `The body must have at most ${bodyLimit} bytes.`, ...refusal };
  return refusal;
}

/** Sends a stored reply as bytes: Fastify would add a charset to text, which problem documents don't have. */
export const sendReply = (reply: FastifyReply, { status, headers, body }: StoredReply): FastifyReply =>
  reply
    .code(status)
    .headers(headers)
    .send(body === '' ? undefined : Buffer.from(body));

/** The refusal to answer with, or null for an internal error. */
function refusalOf(thrown: unknown): Refusal | null {
  if (thrown instanceof Refused) return thrown.refusal;
  const { statusCode, message } = thrown as Error & Partial<FastifyError>;
  switch (statusCode) {
    case 404:
    case 414:
      return { code: 'not_found' };
    case 413:
      return { code: 'too_large' };
    case 415:
      return { code: 'unsupported_media_type' };
    default:
      if (statusCode === undefined || statusCode < 400 || statusCode >= 500) return null;
      // Fastify says why it could not read the request, without anything about the inside of the service.
      return { code: 'malformed', detail: message };
  }
}

/** An error for the log, with everything that looks like an address, a phone number or a token removed. */
function redactedError(thrown: unknown): Record<string, unknown> {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  return { code: (error as { code?: unknown }).code, stack: redacted(error.stack ?? error.message) };
}

const redacted = (text: string): string =>
  text
    .replace(/[^\s"'<>:]+@[^\s"'<>]+/g, '[address]')
    .replace(/\+\d[\d ]{6,}/g, '[number]')
    .replace(/[A-Za-z0-9_-]{40,}/g, '[token]');
