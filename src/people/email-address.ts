import { domainToASCII } from 'node:url';

/** Non-ASCII letters (RFC 6531), without blanks, control characters and invisible characters. */
const INTERNATIONAL = '(?![ -~])[\\p{L}\\p{N}\\p{M}\\p{S}]';
const ATOM = `(?:[A-Za-z0-9!#$%&'*+\\-/=?^_\`{|}~]|${INTERNATIONAL})+`;
const DOT_ATOM = new RegExp(`^${ATOM}(?:\\.${ATOM})*$`, 'u');
const QUOTED = new RegExp(`^"(?:[ -!#-[\\]-~]|\\\\[ -~]|${INTERNATIONAL})+"$`, 'u');
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const DOMAIN = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);
const OCTETS = { local: 64, whole: 254 } as const;

/**
 * The wire form of an address (RFC 5321, 4.1.2; RFC 6531), for envelope and header: the domain in ASCII (IDNA), the local part
 * in NFC without needless quotes.
 * @returns null if it is not a single mailbox: a name, a comment, a list, an IP address, blanks or control characters
 */
export function emailAddress(text: string): string | null {
  const at = text.lastIndexOf('@');
  const local = localPart(text.slice(0, at));
  const domain = asciiDomain(text.slice(at + 1));
  if (at < 1 || local === null || domain === null) return null;
  const whole = `${local}@${domain}`;
  return Buffer.byteLength(local) <= OCTETS.local && Buffer.byteLength(whole) <= OCTETS.whole ? whole : null;
}

/** Whether a text is a plain mailbox address; may contain non-ASCII letters. */
export const isEmail = (text: string): boolean => text.length <= OCTETS.whole && emailAddress(text) !== null;

/** Whether a mail server must support SMTPUTF8 (RFC 6531) to accept this address. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: US-ASCII begins with them
export const needsSmtpUtf8 = (address: string): boolean => !/^[\x00-\x7f]*$/.test(address);

function localPart(text: string): string | null {
  const local = text.normalize('NFC');
  if (DOT_ATOM.test(local)) return local;
  if (!QUOTED.test(local)) return null;
  const meant = local.slice(1, -1).replace(/\\(.)/gu, '$1');
  return DOT_ATOM.test(meant) ? meant : `"${meant.replace(/["\\]/g, '\\$&')}"`;
}

function asciiDomain(domain: string): string | null {
  if (DOMAIN.test(domain)) return domain;
  // `domainToASCII` would drop or repair invalid characters instead of refusing them.
  const ascii = /^[\p{L}\p{N}\p{M}.-]+$/u.test(domain) ? domainToASCII(domain) : '';
  return DOMAIN.test(ascii) ? ascii : null;
}
