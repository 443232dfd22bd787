import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RouteDeps } from '../deps.ts';
import { languageOf, sendSmallPage } from '../small-page.ts';

const config = { open: 'the token of the link says who it is' };
const schema = { hide: true };

type Asked = FastifyRequest<{ Params: { token: string } }>;

/**
 * The link at the end of an e-mail. Reading it shows a page and changes nothing, since mail programs follow links by
 * themselves; the button, or the one click of a mail program (RFC 8058), does it. Again is fine.
 */
export function unsubscribeRoutes(app: FastifyInstance, { links, preferences }: RouteDeps): void {
  app.register(async (pages) => {
    pages.removeAllContentTypeParsers();
    // Which button was pressed is all a body could say, and there is one.
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
    ask: 'You will get no more of these messages here. Cancellations and postponements of events you are registered for still come.',
    button: 'Unsubscribe',
    done: 'You are unsubscribed.',
    unknown: 'This link is not valid.',
  },
  cs: {
    title: 'Zprávy ze školy',
    ask: 'Tyto zprávy sem už nebudou chodit. Zrušení a odložení akcí, na které jste přihlášeni, přijde dál.',
    button: 'Odhlásit',
    done: 'Jste odhlášeni.',
    unknown: 'Tento odkaz není platný.',
  },
} as const;

function page(request: FastifyRequest, reply: FastifyReply, state: 'ask' | 'done' | 'unknown'): FastifyReply {
  const language = languageOf(request);
  const { title, button, ...words } = WORDS[language];
  const status = state === 'unknown' ? 404 : 200;
  return sendSmallPage(reply, { language, title, text: words[state], status, ...(state === 'ask' ? { button } : {}) });
}
