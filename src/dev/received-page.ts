import Handlebars from 'handlebars';
import PostalMime from 'postal-mime';
import { LOOPBACK, loopbackServer } from './stand-ins/loopback-http.ts';
import type { ReceivedPush } from './stand-ins/push-stand-in.ts';
import type { ReceivedMail } from './stand-ins/smtp-stand-in.ts';
import type { SentSms } from './stand-ins/twilio-stand-in.ts';

type ReceivedPageOptions = {
  smtp: { readonly messages: readonly ReceivedMail[] };
  twilio: { readonly messages: readonly SentSms[] };
  push: { readonly messages: readonly ReceivedPush[] };
  /** the person behind an e-mail address, a phone number or a push label; an address without one stands for itself */
  nameOf?: (address: string) => string | undefined;
};

/** the latest messages of a page */
const SHOWN = 300;

/** Shows on 127.0.0.1 which messages have arrived, for everyone or one person, and each e-mail as HTML. */
export async function startReceivedPage({ smtp, twilio, push, nameOf = () => undefined }: ReceivedPageOptions) {
  const nameAt = (address: string) => nameOf(address) ?? address;

  const findMail = (number: string) => smtp.messages.find((one) => String(one.number) === number);

  async function listPage(person: string | null): Promise<string> {
    const sent = [
      ...smtp.messages.map((mail) => ({ channel: 'e-mail', mail, ...mail })),
      ...twilio.messages.map(({ at, to, body }) => ({ channel: 'SMS', at, to: [to], text: body })),
      ...push.messages.map(({ at, device, text, payload }) => ({
        channel: 'push',
        at,
        to: [device],
        title: payload.title,
        text: payload.body ?? text,
      })),
    ];
    const all = sent
      .map((message) => ({ ...message, names: [...new Set(message.to.map(nameAt))] }))
      .sort((a, b) => b.at.getTime() - a.at.getTime());
    const people = [...new Set(all.flatMap(({ names }) => names))].sort((a, b) => a.localeCompare(b));
    const shown = all.filter(({ names }) => person === null || names.includes(person)).slice(0, SHOWN);
    const messages = shown.map(async (message) => ({
      ...message,
      when: message.at.toISOString(),
      ...('mail' in message ? await summaryOf(message.mail) : {}),
    }));
    return LIST({ person, people, messages: await Promise.all(messages) });
  }

  const app = loopbackServer();
  app.addHook('onRequest', async (_request, reply) => void reply.headers(HEADERS));
  app.get<{ Querystring: { person?: string } }>('/', async ({ query }) => listPage(query.person ?? null));
  app.get<{ Params: { number: string } }>('/mail/:number', async ({ params }, reply) => {
    const mail = findMail(params.number);
    if (!mail) return reply.callNotFound();
    return MAIL({ ...mail, ...(await PostalMime.parse(mail.raw, { attachmentEncoding: 'utf8' })) });
  });
  app.get<{ Params: { number: string } }>('/mail/:number/raw', async ({ params }, reply) =>
    reply.type('text/plain; charset=utf-8').send(findMail(params.number)?.raw.toString('utf8')),
  );
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send(LIST({ person: 'Not found: only the latest messages are kept', messages: [] })),
  );
  return { url: await app.listen(LOOPBACK), stop: () => app.close() };
}

async function summaryOf(mail: ReceivedMail) {
  const { subject, text = '' } = await PostalMime.parse(mail.raw);
  return { title: subject || '(no subject)', text: text.slice(0, 140) };
}

// The frame of an e-mail inherits this policy: nothing in it runs, and nothing is fetched from elsewhere.
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'; form-action 'none'";

const HEADERS = {
  'content-security-policy': POLICY,
  'content-type': 'text/html; charset=utf-8',
  'x-content-type-options': 'nosniff',
};

const HEAD = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:54rem;margin:1rem auto;padding:0 1rem}
li{margin:.75rem 0}iframe{width:100%;height:70vh;border:1px solid;background:#fff;color-scheme:light}
pre,p{white-space:pre-wrap;overflow-wrap:anywhere;margin:0}</style>`;

const LIST = Handlebars.compile(`${HEAD}<title>Received messages</title>
<h1>{{#if person}}{{person}}{{else}}Received messages{{/if}}</h1>
<nav>{{#if person}}<a href="/">Everyone</a>{{else}}{{#each people}}<a href="/?person={{encoded this}}">{{this}}</a>
{{else}}No messages yet. Reload the page to check again.{{/each}}{{/if}}</nav>
<ul>{{#each messages}}<li><small>{{when}} · {{channel}} · {{#each names}}{{this}} {{/each}}({{#each to}}{{this}} {{/each}})</small>
<p>{{#if mail}}<a href="/mail/{{mail.number}}">{{title}}</a>{{else}}<b>{{title}}</b>{{/if}}
{{text}}</p></li>{{/each}}</ul>`);

const MAIL = Handlebars.compile(`${HEAD}<title>{{subject}}</title><h1>{{subject}}</h1>
<p>From {{from.name}} &lt;{{from.address}}&gt; to {{#each to}}{{address}} {{/each}} · {{date}} · <a href="/mail/{{number}}/raw">source</a></p>
{{#if html}}<iframe sandbox="" title="The e-mail as HTML" srcdoc="{{html}}"></iframe>{{/if}}<pre>{{text}}</pre>
{{#each attachments}}<h2>{{filename}} ({{mimeType}})</h2><pre>{{content}}</pre>{{/each}}`);

Handlebars.registerHelper('encoded', encodeURIComponent);
