import { domainToASCII } from 'node:url';

/** Letters beyond ASCII (RFC 6531), without blanks, controls and invisible characters. */
const INTERNATIONAL = '(?![ -~])[\\p{L}\\p{N}\\p{M}\\p{S}]';
const ATOM = `(?:[A-Za-z0-9!#$%&'*+\\-/=?^_\`{|}~]|${INTERNATIONAL})+`;
const DOT_ATOM = new RegExp(`^${ATOM}(?:\\.${ATOM})*$`, 'u');
const QUOTED = new RegExp(`^"(?:[ -!#-[\\]-~]|\\\\[ -~]|${INTERNATIONAL})+"$`, 'u');
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const DOMAIN = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);
const OCTETS = { local: 64, whole: 254 } as const;

/**
 * The form in which an address goes over the wire (RFC 5321, 4.1.2; RFC 6531), in an envelope as well as in a header: the
 * domain in ASCII (IDNA), the local part in NFC with no more quotes than it needs.
 * @returns null where it is no single mailbox: a name, a comment, a list, an IP address, blanks or controls
 */
export function emailAddress(text: string): string | null {
  const at = text.lastIndexOf('@');
  const local = localPart(text.slice(0, at));
  const domain = asciiDomain(text.slice(at + 1));
  if (at < 1 || local === null || domain === null) return null;
  const whole = `${local}@${domain}`;
  return Buffer.byteLength(local) <= OCTETS.local && Buffer.byteLength(whole) <= OCTETS.whole ? whole : null;
}

/** A plain mailbox address, without a name; its domain or local part may have letters beyond ASCII. */
export const isEmail = (text: string): boolean => text.length <= OCTETS.whole && emailAddress(text) !== null;

/** Whether a mail server must know SMTPUTF8 (RFC 6531) to take this address. */
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
  // domainToASCII would drop or repair what must be refused.
  const ascii = /^[\p{L}\p{N}\p{M}.-]+$/u.test(domain) ? domainToASCII(domain) : '';
  return DOMAIN.test(ascii) ? ascii : null;
}
