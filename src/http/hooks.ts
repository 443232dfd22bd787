import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { Refused } from '../core/errors.ts';

const JSON_TYPE = /^application\/json *(?:; *charset="?utf-8"?)? *$/i;
const PATCH_TYPE = /^application\/merge-patch\+json *(?:; *charset="?utf-8"?)? *$/i;

const ignoresBody = ({ is404, routeOptions }: FastifyRequest) => is404 || routeOptions.config?.ignoresBody === true;

/** Refuses compressed bodies, which no route unpacks. */
export function refuseCompressed(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const isRefused = request.headers['content-encoding'] !== undefined && !ignoresBody(request);
    done(isRefused ? COMPRESSED : null, payload);
  });
}

const COMPRESSED = new Refused({
  code: 'unsupported_media_type',
  detail: 'Send the body as it is, without `content-encoding`.',
});

/**
 * Accepts only JSON in UTF-8 with exactly that content type; a PATCH may also be a merge patch (RFC 7396).
 * An empty body counts as none, and so does any body of a route that ignores it or does not exist. The parser refuses
 * `__proto__` and `constructor.prototype`.
 */
export function readJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, _body, done) =>
    done(ignoresBody(request) ? null : new Refused({ code: 'unsupported_media_type' })),
  );
  const types = ['application/json', 'application/merge-patch+json'];
  app.addContentTypeParser(types, { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (ignoresBody(request)) return done(null, undefined);
    const type = request.headers['content-type'] ?? '';
    const isAccepted = JSON_TYPE.test(type) || (request.method === 'PATCH' && PATCH_TYPE.test(type));
    if (!isAccepted) return done(new Refused({ code: 'unsupported_media_type' }));
    if (body.length === 0) return done(null, undefined);
    if (!isUtf8(body)) return done(NOT_UTF8);
    parse(request, body.toString(), (error, value) => done(error && UNREADABLE, value));
  });
}

const NOT_UTF8 = new Refused({ code: 'malformed', detail: 'The body is not in UTF-8.' });

const UNREADABLE = new Refused({
  code: 'malformed',
  detail:
    'The body is not valid JSON, or an object in it has the field `__proto__`, or `constructor` with `prototype`.',
});

export const FORM = 'application/x-www-form-urlencoded';

/** Accepts only forms, for routes whose senders are given. */
export function readFormsOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) =>
    done(null, new URLSearchParams(String(body))),
  );
}

/**
 * The bytes of a body. Drops the rest if its reader gives up, as on a full disk: Node would leave it unread, and the next request of
 * the connection with it.
 */
export async function* bytesOf(body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body.iterator({ destroyOnReturn: false });
  } finally {
    body.resume();
  }
}

/** Refuses a form around an uploaded file, since its lines would become part of the file. */
export function refuseUploadForms(uploads: FastifyInstance): void {
  uploads.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(UPLOAD_FORM));
}

const UPLOAD_FORM = new Refused({
  code: 'unsupported_media_type',
  detail: 'Send the bytes of the file as the body, not a form: with curl `--data-binary @file`.',
});

/** Shorter responses fit into a few packets anyway. */
const MIN_COMPRESSED = 4_096;

type Done = (error: Error | null, payload?: unknown) => void;

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const GZIP = { level: 4 };

/**
 * Compresses long JSON responses off the main thread, for clients that accept it. Responses with an ETag stay as they are, because
 * a strong ETag names exact bytes; @fastify/compress would compress them. The length of a response reveals no secret (BREACH),
 * because browsers don't send tokens by themselves as they send cookies.
 */
export function compressResponses(app: FastifyInstance): void {
  // A callback instead of a promise, so that short responses, which are most, don't wait.
  app.addHook('onSend', (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done) => {
    if (typeof payload !== 'string' || payload.length < MIN_COMPRESSED) return done(null, payload);
    const type = String(reply.getHeader('content-type') ?? '');
    if (!type.startsWith('application/json') || reply.hasHeader('etag')) return done(null, payload);
    reply.header('vary', [reply.getHeader('vary'), 'accept-encoding'].filter(Boolean).join(', '));
    const accepted = new Negotiator(request).encodings(['br', 'gzip']);
    const send = (encoding: string) => (error: Error | null, body: Buffer) => {
      if (!error) reply.header('content-encoding', encoding);
      done(null, error ? payload : body);
    };
    if (accepted.includes('br')) return brotliCompress(payload, BROTLI, send('br'));
    if (accepted.includes('gzip')) return gzip(payload, GZIP, send('gzip'));
    done(null, payload);
  });
}

const YEAR_S = 31_536_000;

/**
 * The security headers of every response, including errors. A page that needs another policy sets its own. The service
 * sends `Strict-Transport-Security` only if its public URL is https. The policy says who may show a page in a frame.
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
