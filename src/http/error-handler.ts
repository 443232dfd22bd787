import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorCode, type Refusal, Refused } from '../core/errors.ts';
import type { StoredReply } from '../core/idempotency-record.ts';
import type { HttpLog, RouteDeps } from './deps.ts';
import { eventOfPath } from './events/event-of-path.ts';
import { problemReply } from './problem.ts';

/** What is refused before a verb has looked for the event. */
const READING: ReadonlySet<ErrorCode> = new Set([
  'malformed',
  'too_large',
  'unsupported_media_type',
  'validation_failed',
]);

/**
 * The one place where errors become answers. What is not a refusal and not the caller's fault is logged with the id of
 * the request and answered as `internal`, without a word of its own.
 */
export function errorHandler(deps: RouteDeps, log: HttpLog | false) {
  return async (thrown: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    let refusal = refusalOf(thrown);
    // A fault in a request about an event somebody may not see must not tell that there is one.
    if (refusal && READING.has(refusal.code) && request.caller) {
      refusal = await eventOfPath(deps, request.caller, request).then(() => refusal, refusalOf);
    }
    if (!refusal && deps.isUnavailable(thrown))
      refusal = { code: 'busy', detail: 'the database does not answer', retryAfter: 2 };
    if (!refusal && log) {
      log.error({ requestId: request.id, route: request.routeOptions.url, ...wordsOf(thrown) }, 'http.failed');
    }
    return sendReply(reply, problemReply(refusal ?? { code: 'internal' }, request.id, deps.publicUrl));
  };
}

/** Sends a reply as it is stored; as bytes, since a text would get a charset that problem documents don't have. */
export const sendReply = (reply: FastifyReply, { status, headers, body }: StoredReply): FastifyReply =>
  reply
    .code(status)
    .headers(headers)
    .send(body === '' ? undefined : Buffer.from(body));

/** What the caller is told, or null for a fault of ours. */
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

/** An error in words fit for a log: what looks like an address, a number of a person or a long token is blotted out. */
export function wordsOf(thrown: unknown): Record<string, unknown> {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  return { error: error.name, code: (error as { code?: unknown }).code, stack: blotted(error.stack ?? error.message) };
}

const blotted = (text: string): string =>
  text
    .replace(/[^\s"'<>:]+@[^\s"'<>]+/g, '[address]')
    .replace(/\+\d[\d ]{6,}/g, '[number]')
    .replace(/[A-Za-z0-9_-]{40,}/g, '[token]');
