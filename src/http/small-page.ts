import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Locale } from '../people/contact.ts';

/** The language that the browser asks for: Czech, or English for every other language. */
export const languageOf = ({ headers }: Pick<FastifyRequest, 'headers'>): Locale =>
  /^\s*cs\b/i.test(headers['accept-language'] ?? '') ? 'cs' : 'en';

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Sends the page behind a link of a message: a heading, a sentence and at most one button. It loads no other files. */
export function sendSmallPage(
  reply: FastifyReply,
  page: { language: Locale; title: string; text: string; button?: string; status: number },
): FastifyReply {
  const { language, title, text, button, status } = page;
  const form = button === undefined ? '' : `<form method="post"><button>${escaped(button)}</button></form>`;
  return reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    })
    .send(
      `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
        `<title>${escaped(title)}</title><style>body{font:1.1rem/1.5 system-ui;max-width:32rem;margin:3rem auto;padding:0 1rem}` +
        `button{font:inherit;padding:.6rem 1.2rem}</style><h1>${escaped(title)}</h1><p>${escaped(text)}</p>${form}</html>\n`,
    );
}
