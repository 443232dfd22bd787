import { domainToASCII } from 'node:url';

/** Raised for an address that can't stand alone in a header or an envelope; it never carries the address. */
export class BadAddress extends Error {
  constructor() {
    super('not a plain addr-spec');
    this.name = 'BadAddress';
  }
}

const ATEXT = "[A-Za-z0-9!#$%&'*+\\-/=?^_`{|}~]+";
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const ADDR_SPEC = new RegExp(`^${ATEXT}(?:\\.${ATEXT})*@${LABEL}(?:\\.${LABEL})*$`);

/**
 * The plain form of an address (RFC 5321 §4.1.2): a dot-atom and a domain, the latter in ASCII. For the To header and
 * for RCPT alike, so that both name the same mailbox.
 *
 * @throws BadAddress on anything else: quoted local parts, comments, lists, blanks, controls
 */
export function addrSpec(address: string): string {
  if (address.length <= 254 && ADDR_SPEC.test(address)) return address;
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  // domainToASCII would forgive and drop what must not be forgiven
  const ascii =
    at > 0 && /^[\p{L}\p{N}\p{M}.-]+$/u.test(domain) ? `${address.slice(0, at)}@${domainToASCII(domain)}` : '';
  if (ascii === '' || ascii.length > 254 || !ADDR_SPEC.test(ascii)) throw new BadAddress();
  return ascii;
}
