import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalid, Refused } from '../../kernel/errors.ts';
import type { RouteDeps } from '../deps.ts';

const FORM = 'application/x-www-form-urlencoded';

type Asked = FastifyRequest<{
  Params: { delivery_id: string };
  Querystring: { fence?: string };
  Body?: Record<string, string>;
}>;

/**
 * Where Twilio tells what became of a message. Anyone can post here, so nothing is believed without the signature over
 * the address (as we gave it out: the public one) and every parameter.
 */
export function twilioRoutes(app: FastifyInstance, deps: RouteDeps): void {
  app.register(async (callbacks) => {
    callbacks.removeAllContentTypeParsers();
    callbacks.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: 64 * 1024 }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    const config = { open: 'signed by Twilio', unlimited: true } as const;
    callbacks.post(
      '/callbacks/twilio/:delivery_id',
      { config, schema: { hide: true } },
      async (request: Asked, reply) => {
        const news = request.body ?? {};
        const signature = request.headers['x-twilio-signature'];
        const url = `${deps.publicUrl}${request.url}`;
        if (typeof signature !== 'string' || !(await deps.twilioSignatureIsValid(signature, url, news))) {
          throw new Refused({ code: 'forbidden', detail: 'the signature does not fit' });
        }
        const { MessageSid: provider_id, MessageStatus: status, ErrorCode: error_code = '' } = news;
        const fence = /^\d{1,9}$/.test(request.query.fence ?? '') ? Number(request.query.fence) : null;
        if (fence === null || !provider_id || !status) {
          throw invalid([{ pointer: '', message: 'fence, MessageSid and MessageStatus are needed' }]);
        }
        const { delivery_id } = request.params;
        await deps.providerCallback({ delivery_id, fence, provider_id, status, error_code: error_code || null });
        return reply.code(204).send();
      },
    );
  });
}
