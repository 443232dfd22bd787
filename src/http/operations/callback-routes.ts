import type { FastifyRequest } from 'fastify';
import { invalidField, notFound, Refused } from '../../core/errors.ts';
import { isSameSecret } from '../../core/ids.ts';
import type { RouteDeps } from '../deps.ts';
import { FORM, readFormsOnly } from '../hooks.ts';
import type { Routes } from '../route.ts';

type CallbackRequest = FastifyRequest<{
  Params: { delivery_id: string };
  Querystring: { fence?: string };
  Body?: URLSearchParams;
}>;

const OPTIONS = {
  config: { open: 'signed by Twilio', unlimited: true, needsDatabase: true },
  schema: { hide: true, consumes: [FORM] },
  bodyLimit: 64 * 1024,
} as const;

/**
 * Callbacks of Twilio: delivery results and replies. Anyone can post here, so each request must have Twilio's signature
 * over the public URL and all parameters.
 */
export function twilioRoutes(routes: Routes): void {
  routes.app.register(async (callbacks) => {
    readFormsOnly(callbacks);

    callbacks.post('/callbacks/twilio/:delivery_id', OPTIONS, async (request: CallbackRequest, reply) => {
      const form = signedForm(routes.deps, request);
      const { MessageSid: provider_id, MessageStatus: status, ErrorCode: error_code = '' } = form;
      const fence = /^\d{1,9}$/.test(request.query.fence ?? '') ? Number(request.query.fence) : null;
      if (fence === null || !provider_id || !status) {
        throw invalidField('', 'must contain fence, MessageSid and MessageStatus', 'required');
      }
      const { delivery_id } = request.params;
      const senders = [form.From, form.MessagingServiceSid].flatMap((sender) => sender || []);
      const report = { delivery_id, fence, provider_id, status, error_code: error_code || null, senders };
      await routes.deps.providerCallback(report);
      return reply.code(204).send();
    });

    callbacks.post('/callbacks/sms', OPTIONS, async (request: CallbackRequest, reply) => {
      const form = signedForm(routes.deps, request);
      const { From: from, To: to, MessageSid: sid, Body: body = '', MessagingServiceSid, OptOutType } = form;
      if (!from || !to || !sid) throw invalidField('', 'must contain From, To and MessageSid', 'required');
      await routes.deps.smsReply({
        sid,
        from,
        to,
        body,
        messaging_service_sid: MessagingServiceSid || null,
        opt_out_type: OptOutType || null,
      });
      // Twilio itself confirms a STOP to the person, so the response is empty.
      return reply.type('text/xml').send('<Response/>');
    });
  });
}

/** @throws Refused `forbidden` if the signature is missing or wrong */
function signedForm(deps: RouteDeps, request: CallbackRequest): Record<string, string> {
  const form = Object.fromEntries(request.body ?? []);
  const signature = request.headers['x-twilio-signature'];
  const url = `${deps.publicUrl}${request.url}`;
  if (typeof signature !== 'string' || !deps.twilioSignatureIsValid(signature, url, form)) {
    throw new Refused({
      code: 'forbidden',
      detail: 'The signature of the callback is not valid. Check the auth token and the public URL of the service.',
    });
  }
  return form;
}

const MAIL = 'message/rfc822';

/**
 * Receives mails returned to MAIL_FROM, unchanged, from a mail server. Checks the secret before it reads the body.
 * Answers 202 even if a mail is not about a message of ours, because a retry would not help.
 */
export function returnedMailRoutes({ app, deps: { bounceSecret, mailReport } }: Routes): void {
  app.register(async (callbacks) => {
    callbacks.removeAllContentTypeParsers();
    callbacks.addContentTypeParser(MAIL, async (_: unknown, mail: AsyncIterable<Buffer>) => startOf(mail));
    callbacks.post(
      '/callbacks/email',
      {
        config: { open: 'BOUNCE_SECRET', unlimited: true, needsDatabase: true },
        schema: { hide: true, consumes: [MAIL] },
        async onRequest(request) {
          if (bounceSecret === null) throw notFound();
          if (!isSameSecret(secretIn(request.headers.authorization), bounceSecret))
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

/** Reports and answers of calendars come before the other parts of a mail, so its beginning is enough. */
const READ_BYTES = 512 * 1024;

/** Reads a mail of any size to its end, because a mail server would send one that is refused again for days. */
async function startOf(mail: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of mail) {
    if (length < READ_BYTES) chunks.push(chunk);
    length += chunk.length;
  }
  return Buffer.concat(chunks).subarray(0, READ_BYTES);
}

const secretIn = (header = ''): string => /^bearer +(.*)$/i.exec(header)?.[1] ?? '';
