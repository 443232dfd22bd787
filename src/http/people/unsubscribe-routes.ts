import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RouteDeps } from '../deps.ts';
import { languageOf, sendSmallPage } from '../small-page.ts';

const config = { open: 'the token of the link identifies the person' };
const schema = { hide: true };

type Asked = FastifyRequest<{ Params: { token: string } }>;

/**
 * The page behind the unsubscribe link of an e-mail. GET changes nothing, because mail programs open links by themselves;
 * the button or the one-click request of a mail program (RFC 8058) unsubscribes. Repeating it is harmless.
 */
export function unsubscribeRoutes(app: FastifyInstance, { links, preferences }: RouteDeps): void {
  app.register(async (pages) => {
    pages.removeAllContentTypeParsers();
    // The body is ignored: there is only one button.
    pages.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 16 * 1024 }, (_request, _body, done) => done(null));

    pages.get('/unsubscribe/:token', { config, schema }, async (request: Asked, reply) => {
      const link = links.readUnsubscribe(request.params.token);
      return page(request, reply, link ? 'ask' : 'unknown');
    });

    pages.post('/unsubscribe/:token', { config, schema }, async (request: Asked, reply) => {
      const link = links.readUnsubscribe(request.params.token);
      if (!link) return page(request, reply, 'unknown');
      const { tenant_id, school_id, user_ids, channel } = link;
      for (const user_id of user_ids) await preferences.addOptOut({ tenant_id, school_id }, user_id, `*:${channel}`);
      return page(request, reply, 'done');
    });
  });
}

const WORDS = {
  en: {
    title: 'Messages from the school',
    ask: 'Do you want to stop these messages? We will still tell you if an event you are registered for is cancelled or postponed.',
    button: 'Unsubscribe',
    done: 'You have unsubscribed. You can change this any time in your notification settings.',
    unknown: 'This link doesn’t work. Open it again from the message, or change your notification settings.',
  },
  cs: {
    title: 'Zprávy ze školy',
    ask: 'Chcete tyto zprávy přestat dostávat? O zrušení nebo odložení akce, na kterou jste přihlášeni, vám napíšeme i tak.',
    button: 'Odhlásit odběr',
    done: 'Odběr jste odhlásili. Kdykoli to můžete změnit v nastavení oznámení.',
    unknown: 'Tento odkaz nefunguje. Otevřete ho znovu ze zprávy, nebo si změňte nastavení oznámení.',
  },
} as const;

function page(request: FastifyRequest, reply: FastifyReply, state: 'ask' | 'done' | 'unknown'): FastifyReply {
  const language = languageOf(request);
  const { title, button, ...words } = WORDS[language];
  const status = state === 'unknown' ? 404 : 200;
  return sendSmallPage(reply, { language, title, text: words[state], status, ...(state === 'ask' ? { button } : {}) });
}
