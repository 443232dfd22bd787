import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { notFound } from '../../core/errors.ts';
import { sendTestMessage } from '../../messages/send-message.ts';
import { schoolWords } from '../../notifications/content/content.ts';
import type { Trigger } from '../../notifications/policy/trigger-table.ts';
import { type Scope, scopeOf } from '../../people/caller.ts';
import { LOCALES, type Locale } from '../../people/contact.ts';
import { TRIGGER } from '../operations/records-schema.ts';
import { OPERATIONS } from '../paths.ts';
import type { Routes } from '../route.ts';
import { choice, described, oneOf, strict } from '../schemas/fields.ts';

/** The channels whose texts the page School shows; WhatsApp sends only texts that its provider has approved. */
const TESTED = ['email', 'sms', 'push', 'in_app'] as const;

const SAMPLE_PAGE = '/sample-email';
/** How long the address of an email's HTML is valid. */
const SAMPLE_MS = 3_600_000;

/** Routes that show the texts of messages with sample values. */
export function textRoutes(routes: Routes): void {
  const { schools, sampleMessage, links, clock } = routes.deps;
  const sample = async (scope: Scope, trigger: Trigger, locale: Locale) => {
    const school = schoolWords(await schools.find(scope));
    return sampleMessage({ trigger, locale, tenant_id: scope.tenant_id, school });
  };

  routes.get(`${OPERATIONS}/school/texts/:trigger`, {
    access: { permission: 'manage_settings' },
    name: 'previewText',
    summary: 'Preview the text of a message',
    description:
      'Shows the text of one kind of message on every channel as a person would get it, with the name, logo and color of ' +
      'the school and with sample values. WhatsApp has texts of its own, which the provider approves.',
    params: strict({ trigger: TRIGGER }),
    query: strict({
      locale: choice(LOCALES, 'The language of the text; by default that of the school.'),
    }),
    responses: { 200: TEXT_PREVIEW },
    result: async (_deps, caller, { params: { trigger }, query }) => {
      const scope = scopeOf(caller);
      const locale = query.locale ?? (await schools.find(scope)).locale;
      const { email, ...others } = await sample(scope, trigger, locale);
      const { html, ...written } = email;
      const until = clock.now().getTime() + SAMPLE_MS;
      const html_url = `${SAMPLE_PAGE}/${links.sample({ ...scope, trigger, locale, until })}`;
      return { trigger, locale, email: { ...written, html_url }, ...others };
    },
  });

  routes.post(`${OPERATIONS}/school/texts/:trigger/test`, {
    access: { permission: 'manage_settings' },
    name: 'sendTestMessage',
    summary: 'Send yourself a text as a test message',
    description:
      'Sends the text with sample values over one channel to your own address in the directory, and to no one else, at any ' +
      'hour. Its title begins with “Test”. The message is in no list of messages.',
    params: strict({ trigger: TRIGGER }),
    body: strict(
      {
        channel: oneOf(TESTED, { description: 'The channel to send it over.' }),
        locale: oneOf(LOCALES, { description: 'The language of the text.' }),
      },
      { examples: [{ channel: 'email', locale: 'en' }] },
    ),
    responses: { 202: described('The message is on its way', { message_id: Type.String() }) },
    result: async (deps, caller, { params: { trigger }, body }) => {
      const { id } = await sendTestMessage(deps, caller, { trigger, ...body });
      return { message_id: id };
    },
  });

  const open = 'the signed token names the text, which holds sample values only';
  routes.app.get(
    `${SAMPLE_PAGE}/:token`,
    { config: { open }, schema: { hide: true } },
    async (request: FastifyRequest<{ Params: { token: string } }>, reply) => {
      const link = links.readSample(request.params.token);
      if (!link || link.until < clock.now().getTime()) throw notFound();
      const { email } = await sample(link, link.trigger as Trigger, link.locale as Locale);
      return reply.headers(FRAMED).type('text/html; charset=utf-8').send(email.html);
    },
  );
}

/** Emails carry inline styles. The client shows them in a frame in which nothing runs and no link opens. */
const FRAMED = {
  'content-security-policy':
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' https:; frame-ancestors 'self'",
  'x-robots-tag': 'noindex',
};

const title = Type.String({ description: 'The title.' });
const TITLED = Type.Object({ title, body: Type.String() });

const TEXT_PREVIEW = described('The text on each channel', {
  trigger: TRIGGER,
  locale: oneOf(LOCALES),
  email: described('The email.', {
    from: described('The sender.', {
      name: Type.String(),
      address: Type.String({ description: 'The address of the sender.' }),
    }),
    subject: Type.String(),
    text: Type.String({ description: 'The email as plain text.' }),
    html_url: Type.String({ description: 'The path of a page that shows the email. Valid for an hour.' }),
  }),
  sms: Type.Object({
    text: Type.String({ description: 'The text message.' }),
    segments: Type.Integer({ description: 'How many text messages it costs.' }),
  }),
  push: TITLED,
  in_app: TITLED,
});
