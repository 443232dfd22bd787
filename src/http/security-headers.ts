import type { FastifyReply, FastifyRequest } from 'fastify';

const YEAR_S = 31_536_000;

/**
 * The security headers of every answer, including errors. A page that needs another policy sets its own. The service
 * sends `Strict-Transport-Security` only if its public URL is https. Who may show a page in a frame stands in the policy.
 * @returns a function that adds them to a reply
 */
export function securityHeaders(publicUrl: string) {
  const always = {
    'x-content-type-options': 'nosniff',
    ...(publicUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${YEAR_S}` } : {}),
  };
  const defaults = {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  };
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    reply.header('x-request-id', request.id).headers(always);
    for (const [name, value] of Object.entries(defaults)) if (!reply.hasHeader(name)) reply.header(name, value);
    return reply;
  };
}
