import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refused } from '../../core/errors.ts';
import { scopeOf } from '../../people/caller.ts';
import { giveUpPlace } from '../../registrations/cancel.ts';
import { isActive } from '../../registrations/registration.ts';
import type { RouteDeps } from '../deps.ts';
import { languageOf, sendSmallPage } from '../small-page.ts';

const config = { open: 'the token of the link identifies the registration' };
const schema = { hide: true };

type Asked = FastifyRequest<{ Params: { token: string } }>;
type State = 'ask' | 'done' | 'unknown';

/**
 * The page behind the link in the message about a postponed event. GET changes nothing, because mail programs open links
 * by themselves; the button (POST) gives the place up. Repeating it is harmless.
 */
export function placeRoutes(app: FastifyInstance, deps: RouteDeps): void {
  const { links, events, registrations } = deps;
  app.register(async (pages) => {
    pages.removeAllContentTypeParsers();
    pages.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 16 * 1024 }, (_request, _body, done) => done(null));

    pages.get('/place/:token', { config, schema }, async (request: Asked, reply) => {
      const id = links.readPlace(request.params.token);
      const registration = id && (await registrations.findAnywhere(id));
      if (!registration) return page(request, reply, 'unknown');
      const event = await events.find(scopeOf(registration), registration.event_id);
      return page(request, reply, isActive(registration.status) ? 'ask' : 'done', event?.title);
    });

    pages.post('/place/:token', { config, schema }, async (request: Asked, reply) => {
      const id = links.readPlace(request.params.token);
      if (!id) return page(request, reply, 'unknown');
      try {
        await giveUpPlace(deps, id);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (error.refusal.code === 'not_found') return page(request, reply, 'unknown');
        if (error.refusal.code !== 'registration_not_active') throw error; // the place was given up before
      }
      return page(request, reply, 'done');
    });
  });
}

const WORDS = {
  en: {
    title: 'Your place',
    ask: 'The event has a new date, and we have kept your place. If you can’t come, please give it up so that someone else can have it.',
    button: 'Give up my place',
    done: 'You have given up your place and are no longer registered.',
    unknown: 'This link doesn’t work. Open it again from the message, or contact the school.',
  },
  cs: {
    title: 'Vaše místo',
    ask: 'Akce má nový termín a vaše místo platí dál. Pokud nemůžete přijít, uvolněte ho prosím někomu jinému.',
    button: 'Uvolnit místo',
    done: 'Místo jste uvolnili a už nejste přihlášeni.',
    unknown: 'Tento odkaz nefunguje. Otevřete ho znovu ze zprávy, nebo se obraťte na školu.',
  },
} as const;

function page(request: FastifyRequest, reply: FastifyReply, state: State, event?: string): FastifyReply {
  const language = languageOf(request);
  const { title, button, ...words } = WORDS[language];
  const named = event && state === 'ask' ? `${title}: ${event}` : title;
  const status = state === 'unknown' ? 404 : 200;
  return sendSmallPage(reply, {
    language,
    title: named,
    text: words[state],
    status,
    ...(state === 'ask' ? { button } : {}),
  });
}
