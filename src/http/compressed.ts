import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** A shorter answer fits into a few packets anyway. */
const LEAST = 4_096;

type Done = (error: Error | null, payload?: unknown) => void;

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const GZIP = { level: 4 };

/**
 * Sends long JSON small to those who take it so, packed off the main thread. What has a tag stays as it is: a strong one
 * names these very bytes (@fastify/compress packs it all the same). Tokens don't come by themselves as cookies would, so the
 * length of an answer gives nothing away.
 */
export function compressAnswers(app: FastifyInstance): void {
  // With a callback: most answers are short, and wait for nothing.
  app.addHook('onSend', (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done) => {
    if (typeof payload !== 'string' || payload.length < LEAST) return done(null, payload);
    const type = String(reply.getHeader('content-type') ?? '');
    if (!type.startsWith('application/json') || reply.hasHeader('etag')) return done(null, payload);
    reply.header('vary', [reply.getHeader('vary'), 'accept-encoding'].filter(Boolean).join(', '));
    const accepted = String(request.headers['accept-encoding'] ?? '');
    const send = (encoding: string) => (error: Error | null, body: Buffer) => {
      if (!error) reply.header('content-encoding', encoding);
      done(null, error ? payload : body);
    };
    if (/\bbr\b/.test(accepted)) return brotliCompress(payload, BROTLI, send('br'));
    if (/\bgzip\b/.test(accepted)) return gzip(payload, GZIP, send('gzip'));
    done(null, payload);
  });
}
