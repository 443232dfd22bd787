import type { Address, Email } from 'postal-mime';
import type { ReceivedPush } from '../stand-ins/push-stand-in.ts';
import type { ReceivedMail } from '../stand-ins/smtp-stand-in.ts';
import type { SentSms } from '../stand-ins/twilio-messages.ts';
import { html, Markup } from './html.ts';
import { STYLE } from './mail-page-style.ts';

export interface ParsedMail {
  mail: ReceivedMail;
  email: Email;
}

export type PersonMessage =
  | { channel: 'email'; at: Date; parsed: ParsedMail }
  | { channel: 'sms'; at: Date; sms: SentSms }
  | { channel: 'push'; at: Date; push: ReceivedPush };

export interface PersonSummary {
  name: string;
  addresses: Set<string>;
  email: number;
  sms: number;
  push: number;
  latest: Date;
}

/** Everyone who received something, with how much of what. */
export function peoplePage(people: readonly PersonSummary[]): string {
  const rows = people.map(
    (person) => html`<li><a class="row" href="${personPath(person.name)}">
      <span class="top"><span class="name">${person.name}</span><span>${badge('email', person.email)} ${badge('sms', person.sms)} ${badge('push', person.push)}</span></span>
      <span class="soft">${[...person.addresses].filter((address) => address !== person.name).join(' · ')} last ${time(person.latest)}</span>
    </a></li>`,
  );
  const empty = html`<p class="soft">No messages yet. Reload the page to check again.</p>`;
  return layout('Received messages', html`${rows.length > 0 ? html`<ul class="list">${rows}</ul>` : empty}`);
}

/** One person's messages, as given. */
export function personPage(person: PersonSummary, messages: readonly PersonMessage[]): string {
  const rows = messages.map((message) => html`<li>${messageRow(message)}</li>`);
  const nav = html`<nav><a href="/">← Everyone</a></nav>`;
  const addresses = html`<p class="soft">${[...person.addresses].join(' · ')}</p>`;
  return layout(person.name, html`${addresses}<ul class="list">${rows}</ul>`, nav);
}

function messageRow(message: PersonMessage): Markup {
  if (message.channel === 'email') {
    const { mail, email } = message.parsed;
    return html`<a class="row" href="/mail/${mail.number}">
      <span class="top"><span class="name">${email.subject || '(no subject)'}</span><span>${badge('email')} <span class="soft">${time(mail.at)}</span></span></span>
      <span class="soft">${preview(email)}</span></a>`;
  }
  if (message.channel === 'sms') {
    const { sms } = message;
    return html`<div class="row">
      <span class="top"><span class="name">${sms.from ?? 'SMS'}</span><span>${badge('sms')} <span class="soft">${sms.status} ${time(sms.at)}</span></span></span>
      <p class="text">${withLinks(sms.body)}</p></div>`;
  }
  const { push } = message;
  const fields = (typeof push.payload === 'object' ? push.payload : null) as Record<string, unknown> | null;
  const field = (name: string) => (typeof fields?.[name] === 'string' ? fields[name] : '');
  return html`<div class="row">
    <span class="top"><span class="name">${field('title') || 'Push'}</span><span>${badge('push')} <span class="soft">${push.state} ${time(push.at)}</span></span></span>
    <p class="text">${field('body') || push.text}</p></div>`;
}

/** One mail in full. Its HTML part stands in a frame that may do nothing at all. */
export function mailPage({ mail, email }: ParsedMail, names: readonly string[]): string {
  const people = names.map((name) => html`<a href="${personPath(name)}">← ${name}</a> `);
  const attachments = email.attachments.map(
    (attachment, index) => html`<li><a class="row" href="/mail/${mail.number}/attachment/${index}">
      ${attachment.filename ?? 'without a name'} <span class="soft">${attachment.mimeType}${attachment.method ? `, ${attachment.method}` : ''}</span></a></li>`,
  );
  const body = html`<dl>
      <dt>From</dt><dd>${email.from ? addressText(email.from) : mail.from}</dd>
      <dt>To</dt><dd>${(email.to ?? []).map(addressText).join(', ') || mail.to.join(', ')}</dd>
      <dt>Date</dt><dd>${email.date ?? time(mail.at)}</dd>
      <dt>Accepted</dt><dd>${time(mail.at)} for ${mail.to.join(', ')}</dd>
    </dl>
    ${email.html ? html`<iframe sandbox="" title="The mail as HTML" srcdoc="${email.html}"></iframe>` : null}
    ${email.text ? html`<h2>Text</h2><pre>${withLinks(email.text)}</pre>` : null}
    ${attachments.length > 0 ? html`<h2>Attachments</h2><ul class="list">${attachments}</ul>` : null}
    <p><a href="/mail/${mail.number}/raw">Raw source</a> <span class="soft">${mail.raw.length} bytes</span></p>`;
  return layout(email.subject || '(no subject)', body, html`<nav>${people}</nav>`);
}

/** A page with one sentence. */
export function problemPage(sentence: string): string {
  return layout('Not found', html`<p>${sentence}</p>`, html`<nav><a href="/">← Everyone</a></nav>`);
}

function layout(title: string, body: Markup, nav?: Markup): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${new Markup(STYLE)}</style></head>
<body><main>${nav}<h1>${title}</h1>${body}</main></body></html>
`.html;
}

function badge(channel: 'email' | 'sms' | 'push', count?: number): Markup | null {
  if (count === 0) return null;
  const label = { email: 'Mail', sms: 'SMS', push: 'Push' }[channel];
  return html`<span class="badge ${channel}">${count} ${label}</span>`;
}

function personPath(name: string): string {
  return `/person?name=${encodeURIComponent(name)}`;
}

function addressText(address: Address): string {
  if (address.group) return `${address.name}: ${address.group.map(addressText).join(', ')}`;
  return address.name ? `${address.name} <${address.address}>` : (address.address ?? '');
}

function preview(email: Email): string {
  return (email.text ?? '').replace(/\s+/g, ' ').trim().slice(0, 140);
}

function time(date: Date): Markup {
  const iso = date.toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`;
}

function withLinks(text: string): Markup[] {
  return text
    .split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]])/)
    .map((part, index) =>
      index % 2 === 1 ? html`<a href="${part}" rel="noreferrer noopener">${part}</a>` : html`${part}`,
    );
}
