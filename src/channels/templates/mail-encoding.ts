import addressparser from 'nodemailer/lib/addressparser';
import { encodeWord, foldLines, quoteString } from 'nodemailer/lib/mime-funcs';
import { encode, wrap } from 'nodemailer/lib/qp';
import { cut, oneLine } from '../../core/plain-text.ts';
import type { Content } from '../../notifications/content/message.ts';
import { emailAddress } from '../../people/contact.ts';

/** The sender: MAIL_FROM, a bare address or `Name <a@b>`, and the domain of Message-IDs. */
export type Sender = { from: string; messageDomain: string };

/** The bare address of MAIL_FROM. @throws BadAddress if there is none */
export const senderAddress = (from: string): string =>
  addrSpec(addressparser(from, { flatten: true })[0]?.address ?? '');

/** The headers that all recipients of one text share, each ending in CRLF; Content-Type comes with the body. */
export function sharedHeaders(content: Content, sender: Sender, subject: string): string {
  const name =
    oneLine(content.school.sender_name) || oneLine(addressparser(sender.from, { flatten: true })[0]?.name ?? '');
  const address = senderAddress(sender.from);
  return [
    header('From', mailbox(name, address)),
    content.reply_to ? header('Reply-To', mailbox(content.reply_to.name, addrSpec(content.reply_to.address))) : '',
    header('Subject', unstructured(oneLine(subject))),
    `Feedback-ID: ${[content.trigger, content.event_id, content.tenant_id, 'schoolbell'].map(token).join(':')}\r\n`,
    header('Auto-Submitted', 'auto-generated'),
    header('MIME-Version', '1.0'),
  ].join('');
}

/** `messageId`: the part before the @, the same in every copy; `unsubscribeUrl`: that mail programs POST to (RFC 8058); '': none. */
type MailHead = { messageId: string; domain: string; date: Date; address: string; unsubscribeUrl: string };

/** The headers of one recipient. @throws BadAddress, TypeError if the Message-ID is none */
export function personalHeaders({ messageId, domain, date, address, unsubscribeUrl }: MailHead): string {
  if (!/^[\w.-]{1,200}$/.test(messageId)) throw new TypeError('not the first part of a Message-ID');
  const url = asUrl(unsubscribeUrl);
  return [
    `Message-ID: <${messageId}@${domain.replace(/[^\w.-]/g, '')}>\r\n`,
    `Date: ${date.toUTCString().replace('GMT', '+0000')}\r\n`,
    `To: ${addrSpec(address)}\r\n`,
    url === '' ? '' : `List-Unsubscribe: <${url}>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n`,
  ].join('');
}

/** A URL without characters that would end it in a header or an attribute. */
export const asUrl = (url: string): string => url.replace(/[^!-;=?-~]/g, '');

const mailbox = (name: string, address: string): string =>
  name === '' ? address : `${phrase(cut(name, 100))} <${address}>`;

/** One header, folded at blanks. */
export const header = (name: string, value: string): string => `${foldLines(`${name}: ${value}`, 76)}\r\n`;

/** Leaves ASCII text as it is; encodes text that only looks encoded, so that it is shown as written. */
function unstructured(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) && !text.includes('=?') ? text : encodeWord(text, 'Q', 52);
}

function phrase(name: string): string {
  if (/^[\w ]+$/.test(name)) return name;
  return /^[\x20-\x7e]*$/.test(name) && !name.includes('=?') ? quoteString(name) : encodeWord(name, 'Q', 52);
}

const token = (text: string): string => text.replace(/[^\w.-]+/g, '-').slice(0, 100);

/** An address that can't be used alone in a header or an envelope; the error never contains the address. */
export class BadAddress extends Error {
  override readonly name = 'BadAddress';
}

/** The form of an address for both the To header and RCPT, so that both name the same mailbox. @throws BadAddress */
export function addrSpec(address: string): string {
  const spec = emailAddress(address);
  if (spec === null) throw new BadAddress('not a plain addr-spec');
  return spec;
}

/** The limit of 76 (RFC 2045 §6.7) less an encoded leading dot (2 more) and a soft break (1). */
const WIDTH = 72;

/** Needs neither encoding nor wrapping; no dot or `From` at its start. */
const PLAIN = /^[!-\-/-<>-EG-~][ -<>-~]{0,71}$/;

/**
 * A text as quoted-printable with CRLF line ends. Encodes a final blank, so that text can be appended; encodes dots and
 * `From ` at line starts, which some transports and mailboxes change.
 */
export function quotedPrintable(text: string): string {
  if (PLAIN.test(text)) return text;
  return startsSpelledOut(wrap(encode(withCrlf(text)), WIDTH));
}

/** A file as quoted-printable: encodes its line ends too, so that it is saved unchanged. */
export function quotedPrintableFile(text: string): string {
  if (PLAIN.test(text)) return text;
  const lines = encode(withCrlf(text)).split('\r\n');
  const last = lines.length - 1;
  return startsSpelledOut(lines.map((line, at) => wrap(at < last ? `${line}=0D=0A` : line, WIDTH)).join(SOFT_BREAK));
}

/** Starts a new line of the message but not of the text. */
export const SOFT_BREAK = '=\r\n';

const withCrlf = (text: string): string => text.replace(/\r\n?|\n/g, '\r\n');

const startsSpelledOut = (encoded: string): string =>
  encoded.replace(/^(?:\.|F(?=rom ))/gm, (first) => (first === '.' ? '=2E' : '=46'));
