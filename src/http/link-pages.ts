import type { FastifyReply, FastifyRequest } from 'fastify';
import { acknowledgeIfAsked, loadAcknowledgementState } from '../acknowledgements/acknowledge.ts';
import { escapeHtml } from '../core/plain-text.ts';
import { inLanguage, type SchoolEvent } from '../events/event.ts';
import { scopeOf } from '../people/caller.ts';
import type { Locale } from '../people/contact.ts';
import { isOver } from '../registrations/allowed.ts';
import { giveUpPlace } from '../registrations/cancel.ts';
import { isActive } from '../registrations/registration.ts';
import { preferredLanguage } from './language.ts';
import type { Routes } from './route.ts';

const config = {
  open: 'the token of the link identifies the person or the registration',
  needsDatabase: true,
} as const;
const schema = { hide: true };

type LinkRequest = FastifyRequest<{ Params: { token: string } }>;
type State = 'ask' | 'done' | 'unknown';
/** `settings` is the label of a link to the notification settings. */
type Words = Record<Locale, { title: string; button: string; settings?: string } & Record<State, string>>;

/** One kind of link: its page, and the action behind the button. */
type LinkPage<Link> = {
  words: Words;
  /** @returns null for a link of another kind or a forged one */
  read(token: string): Link | null;
  /** The state of the page before the button is pressed, and the event that it names. */
  show(link: Link): Promise<{ state: State; event?: SchoolEvent | null }>;
  /** @returns false if there is nothing to do any more */
  act(link: Link): Promise<boolean>;
};

/**
 * The pages behind the links in messages. GET changes nothing, because mail programs open links by themselves; the button
 * (POST), or the one-click request of a mail program (RFC 8058), acts. Repeating it is harmless.
 */
export function linkPages({ app, deps }: Routes): void {
  const { links, events, registrations, preferences } = deps;
  app.register(async (pages) => {
    pages.removeAllContentTypeParsers();
    // The body is ignored: there is only one button.
    pages.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null));

    const add = <Link>(path: string, { words, read, show, act }: LinkPage<Link>) => {
      pages.get(`/${path}/:token`, { config, schema }, async (request: LinkRequest, reply) => {
        const link = read(request.params.token);
        const { state, event } = link ? await show(link) : { state: 'unknown' as const };
        return respond(request, reply, words, state, event);
      });
      pages.post(`/${path}/:token`, { config, schema, bodyLimit: 16 * 1024 }, async (request: LinkRequest, reply) => {
        const link = read(request.params.token);
        return respond(request, reply, words, link && (await act(link)) ? 'done' : 'unknown');
      });
    };

    add('unsubscribe', {
      words: UNSUBSCRIBE,
      read: (token) => links.readUnsubscribe(token),
      show: async () => ({ state: 'ask' }),
      async act({ user_ids, channel, ...scope }) {
        for (const user_id of user_ids) await preferences.addOptOut(scope, user_id, `*:${channel}`);
        return true;
      },
    });
    add('ack', {
      words: ACKNOWLEDGEMENT,
      read: (token) => links.readAcknowledgement(token),
      async show(link) {
        const { state, event } = await loadAcknowledgementState(deps, link, { ...link, reader_ids: link.user_ids });
        return { state: PAGE_OF[state], event };
      },
      act: (link) => acknowledgeIfAsked(deps)(link, { ...link, reader_ids: link.user_ids, channel: 'email' }),
    });
    add('place', {
      words: PLACE,
      read: (token) => links.readPlace(token),
      async show(id) {
        const registration = await registrations.findAnywhere(id);
        const event = registration && (await events.find(scopeOf(registration), registration.event_id));
        if (!registration || !event) return { state: 'unknown' };
        if (!isActive(registration.status)) return { state: 'done' };
        return { state: isOver(event.status) ? 'unknown' : 'ask', event };
      },
      act: (id) => giveUpPlace(deps, id),
    });
  });
}

const UNSUBSCRIBE: Words = {
  en: {
    title: 'Messages from the school',
    ask: 'Do you want to stop these messages? We will still write to you about urgent matters, and if an event you are registered for is cancelled or postponed.',
    button: 'Unsubscribe',
    settings: 'Notification settings',
    done: 'You have unsubscribed. You can change this any time in your notification settings.',
    unknown: 'This link doesn’t work. Open it again from the message, or change your notification settings.',
  },
  cs: {
    title: 'Zprávy ze školy',
    ask: 'Chcete tyto zprávy přestat dostávat? O naléhavých věcech a o zrušení nebo odložení akce, na kterou jste přihlášeni, vám napíšeme i tak.',
    button: 'Odhlásit se z odběru',
    settings: 'Nastavení oznámení',
    done: 'Odhlásili jste se z odběru. Kdykoli to můžete změnit v nastavení oznámení.',
    unknown: 'Tento odkaz nefunguje. Otevřete ho znovu ze zprávy, nebo si změňte nastavení oznámení.',
  },
};

const PAGE_OF = { not_asked: 'unknown', asked: 'ask', confirmed: 'done' } as const;

const ACKNOWLEDGEMENT: Words = {
  en: {
    title: 'Confirm that you have read this',
    ask: 'The school would like to know that its message has reached you. One person in a family is enough.',
    button: 'I have read this',
    done: 'Thank you. The school knows that you have read this.',
    unknown:
      'There is nothing to confirm any more, or the link doesn’t work. Open it again from the message, or contact the school.',
  },
  cs: {
    title: 'Potvrzení o přečtení',
    ask: 'Škola by ráda věděla, že se k vám zpráva dostala. Za rodinu stačí, když ji potvrdí jeden z vás.',
    button: 'Potvrzuji přečtení',
    done: 'Děkujeme. Škola ví, že jste zprávu četli.',
    unknown: 'Už není co potvrzovat, nebo odkaz nefunguje. Otevřete ho znovu ze zprávy, nebo se obraťte na školu.',
  },
};

const PLACE: Words = {
  en: {
    title: 'Your place',
    ask: 'The event has been postponed, and we have kept your place. If you can’t come, please give it up so that someone else can have it.',
    button: 'Give up my place',
    done: 'You are no longer registered for this event.',
    unknown:
      'There is no place to give up any more, or the link doesn’t work. Open it again from the message, or contact the school.',
  },
  cs: {
    title: 'Vaše místo',
    ask: 'Akce byla odložena a vaše místo platí dál. Pokud nemůžete přijít, uvolněte ho prosím někomu jinému.',
    button: 'Uvolnit místo',
    done: 'Na tuto akci už nejste přihlášeni.',
    unknown: 'Už není co uvolnit, nebo odkaz nefunguje. Otevřete ho znovu ze zprávy, nebo se obraťte na školu.',
  },
};

/** Responds with a page in the language of the reader: a heading, a sentence and at most one button or link. It loads no other files. */
function respond(request: FastifyRequest, reply: FastifyReply, words: Words, state: State, event?: SchoolEvent | null) {
  const language = preferredLanguage(request.headers) ?? 'en';
  const { title, button, settings, [state]: text } = words[language];
  const asks = state === 'ask';
  const heading = escapeHtml(event && asks ? `${title}: ${inLanguage(event, language).title}` : title);
  const form = asks ? `<form method="post"><button>${escapeHtml(button)}</button></form>` : '';
  const link = settings && !asks ? `<p><a href="/settings">${escapeHtml(settings)}</a></p>` : '';
  return reply
    .code(state === 'unknown' ? 404 : 200)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    })
    .send(
      `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
        `<title>${heading}</title><style>:root{color-scheme:light dark;background:Canvas}` +
        `body{font:1.1rem/1.5 system-ui;max-width:32rem;margin:3rem auto;padding:0 1rem}` +
        `button{font:inherit;padding:.6rem 1.2rem}</style>` +
        `<main><h1>${heading}</h1><p>${escapeHtml(text)}</p>${form}${link}</main></html>\n`,
    );
}
