import PostalMime from 'postal-mime';
import { type LoopbackAnswer, serveLoopback } from '../stand-ins/loopback-http.ts';
import type { ReceivedPush } from '../stand-ins/push-stand-in.ts';
import type { ReceivedMail } from '../stand-ins/smtp-stand-in.ts';
import type { SentSms } from '../stand-ins/twilio-messages.ts';
import {
  mailPage,
  type ParsedMail,
  type PersonMessage,
  type PersonSummary,
  peoplePage,
  personPage,
  problemPage,
} from './mail-page-views.ts';

export interface MailPageOptions {
  port?: number;
  mail: { readonly messages: readonly ReceivedMail[] };
  sms?: { readonly messages: readonly SentSms[] };
  push?: { readonly messages: readonly ReceivedPush[] };
  /** The person behind an address, a phone number or a push label; messages of one name are shown together. */
  nameOf?: (address: string) => string | undefined;
}

export interface MailPage {
  url: string;
  port: number;
  stop(): Promise<void>;
}

/** Shows on 127.0.0.1 who received what: people, their messages, and each mail in full. Reads the messages as they are now. */
export async function startMailPage(options: MailPageOptions): Promise<MailPage> {
  const nameOf = (address: string) => options.nameOf?.(address) ?? address;
  const parsed = new WeakMap<ReceivedMail, Promise<ParsedMail>>();

  function parse(mail: ReceivedMail): Promise<ParsedMail> {
    const known = parsed.get(mail);
    if (known) return known;
    const fresh = PostalMime.parse(mail.raw, { attachmentEncoding: 'utf8' }).then(
      (email) => ({ mail, email }),
      () => ({ mail, email: { headers: [], headerLines: [], attachments: [], text: mail.raw.toString('utf8') } }),
    );
    parsed.set(mail, fresh);
    return fresh;
  }

  function people(): PersonSummary[] {
    const byName = new Map<string, PersonSummary>();
    const count = (channel: 'email' | 'sms' | 'push', address: string, at: Date) => {
      const name = nameOf(address);
      const person = byName.get(name) ?? { name, addresses: new Set(), email: 0, sms: 0, push: 0, latest: at };
      byName.set(name, person);
      person.addresses.add(address);
      person[channel]++;
      if (at > person.latest) person.latest = at;
    };
    for (const mail of options.mail.messages) for (const to of mail.to) count('email', to, mail.at);
    for (const sms of options.sms?.messages ?? []) count('sms', sms.to, sms.at);
    for (const push of options.push?.messages ?? []) count('push', push.device, push.at);
    return [...byName.values()].sort((a, b) => a.name.localeCompare(b.name));
  }

  async function messagesOf(name: string): Promise<PersonMessage[]> {
    const mails = options.mail.messages.filter(({ to }) => to.some((address) => nameOf(address) === name));
    const messages: PersonMessage[] = [
      ...(await Promise.all(mails.map(parse))).map((one) => ({
        channel: 'email' as const,
        at: one.mail.at,
        parsed: one,
      })),
      ...(options.sms?.messages ?? [])
        .filter(({ to }) => nameOf(to) === name)
        .map((sms) => ({ channel: 'sms' as const, at: sms.at, sms })),
      ...(options.push?.messages ?? [])
        .filter(({ device }) => nameOf(device) === name)
        .map((push) => ({ channel: 'push' as const, at: push.at, push })),
    ];
    return messages.sort((a, b) => b.at.getTime() - a.at.getTime());
  }

  async function answer(path: string, query: URLSearchParams): Promise<LoopbackAnswer> {
    if (path === '/') return page(200, peoplePage(people()));
    if (path === '/person') {
      const name = query.get('name') ?? '';
      const person = people().find((one) => one.name === name);
      if (person) return page(200, personPage(person, await messagesOf(name)));
    }
    const [, number, part, index] = /^\/mail\/(\d+)(?:\/(raw|attachment)(?:\/(\d+))?)?$/.exec(path) ?? [];
    const mail = options.mail.messages.find((one) => String(one.number) === number);
    if (mail && part === undefined) return page(200, mailPage(await parse(mail), [...new Set(mail.to.map(nameOf))]));
    if (mail && part === 'raw') return plain(mail.raw.toString('utf8'));
    const attachment = mail && part === 'attachment' ? (await parse(mail)).email.attachments[Number(index)] : undefined;
    if (attachment) return plain(String(attachment.content));
    return page(404, problemPage('There is nothing here. Older messages are not kept for ever.'));
  }

  return serveLoopback(({ method, path, query }) => {
    return method === 'GET' ? answer(path, query) : page(405, problemPage('This page only shows things.'));
  }, options.port);
}

// A mail's own frame inherits this policy: nothing in it runs, and nothing is fetched from elsewhere.
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

function page(status: number, body: string): LoopbackAnswer {
  return { status, headers: { ...SAFE, 'content-type': 'text/html; charset=utf-8' }, body };
}

function plain(body: string): LoopbackAnswer {
  return { status: 200, headers: { ...SAFE, 'content-type': 'text/plain; charset=utf-8' }, body };
}

const SAFE = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};
