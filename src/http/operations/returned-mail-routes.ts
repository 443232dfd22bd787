import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { notFound, Refused } from '../../core/errors.ts';
import type { RouteDeps } from '../deps.ts';

const MAIL = 'message/rfc822';
const config = { open: 'BOUNCE_SECRET', unlimited: true } as const;
const schema = { hide: true };

/**
 * Receives mails returned to MAIL_FROM, unchanged, from a mail server. Checks the secret before it reads the body.
 * Answers 202 even if a mail is not about a message of ours, because a retry would not help.
 */
export function returnedMailRoutes(app: FastifyInstance, { bounceSecret, mailReport }: RouteDeps): void {
  app.register(async (callbacks) => {
    callbacks.removeAllContentTypeParsers();
    callbacks.addContentTypeParser(MAIL, { parseAs: 'buffer', bodyLimit: 2 * 1024 * 1024 }, (_request, body, done) =>
      done(null, body),
    );
    callbacks.post(
      '/callbacks/email',
      {
        config,
        schema,
        async onRequest(request) {
          if (bounceSecret === null) throw notFound();
          if (!isSame(secretIn(request.headers.authorization), bounceSecret))
            throw new Refused({
              code: 'unauthenticated',
              detail: 'The secret is wrong. Send `Authorization: Bearer` with the value of BOUNCE_SECRET.',
            });
        },
      },
      async (request, reply) => {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const about = await mailReport(body);
        return reply.code(202).send({ result: about ? 'recorded' : 'passed over' });
      },
    );
  });
}

const secretIn = (header = ''): string => /^bearer +(.*)$/i.exec(header)?.[1] ?? '';
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const isSame = (given: string, secret: string): boolean => timingSafeEqual(digest(given), digest(secret));
