import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { busy, type ErrorCode, type Refusal, Refused } from '../core/errors.ts';
import type { StoredReply } from '../core/idempotency-record.ts';
import type { HttpLog, RouteDeps } from './deps.ts';
import { loadEventOfPath } from './events/event-of-path.ts';
import { problemReply } from './problem.ts';

/** Codes of refusals that come before the event is loaded. */
const BEFORE_LOAD: ReadonlySet<ErrorCode> = new Set([
  'malformed',
  'too_large',
  'unsupported_media_type',
  'validation_failed',
]);

const DATABASE_AWAY = busy('The database does not answer. Try again in a few seconds.', 2);

/**
 * Turns every error into an answer. An error that is neither a refusal nor the client's fault is logged with the
 * request id and answered as `internal`, without its message.
 */
export function errorHandler(deps: RouteDeps, log: HttpLog | false) {
  return async (thrown: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    let refusal = refusalOf(thrown);
    // Answer 404 first if the caller may not see the event: a validation error would reveal that it exists.
    if (refusal && BEFORE_LOAD.has(refusal.code) && request.caller) {
      refusal = await loadEventOfPath(deps, request.caller, request).then(() => refusal, refusalOf);
    }
    if (!refusal && deps.isUnavailable(thrown)) refusal = DATABASE_AWAY.refusal;
    if (!refusal && log) {
      log.error(
        {
          requestId: request.id,
          traceId: request.trace?.traceId,
          route: request.routeOptions.url,
          ...redactedError(thrown),
        },
        'http.request.failed',
      );
    }
    return sendReply(reply, problemReply(refusal ?? { code: 'internal' }, request.id, deps.publicUrl));
  };
}

/** Sends a stored reply as bytes: Fastify would add a charset to text, which problem documents don't have. */
export const sendReply = (reply: FastifyReply, { status, headers, body }: StoredReply): FastifyReply =>
  reply
    .code(status)
    .headers(headers)
    .send(body === '' ? undefined : Buffer.from(body));

/** The refusal to answer with, or null for an internal error. */
export function refusalOf(thrown: unknown): Refusal | null {
  if (thrown instanceof Refused) return thrown.refusal;
  const { statusCode } = thrown as Partial<FastifyError>;
  switch (statusCode) {
    case 404:
    case 414:
      return { code: 'not_found' };
    case 413:
      return { code: 'too_large' };
    case 415:
      return { code: 'unsupported_media_type' };
    case 503:
      return { code: 'busy' };
    default:
      return statusCode !== undefined && statusCode >= 400 && statusCode < 500 ? { code: 'malformed' } : null;
  }
}

/** An error for the log, with everything that looks like an address, a phone number or a token removed. */
function redactedError(thrown: unknown): Record<string, unknown> {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  return { error: error.name, code: (error as { code?: unknown }).code, stack: redacted(error.stack ?? error.message) };
}

const redacted = (text: string): string =>
  text
    .replace(/[^\s"'<>:]+@[^\s"'<>]+/g, '[address]')
    .replace(/\+\d[\d ]{6,}/g, '[number]')
    .replace(/[A-Za-z0-9_-]{40,}/g, '[token]');
