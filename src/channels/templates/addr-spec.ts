import { emailAddress } from '../../people/email-address.ts';

/** Raised for an address that can't stand alone in a header or an envelope; it never carries the address. */
export class BadAddress extends Error {
  constructor() {
    super('not a plain addr-spec');
    this.name = 'BadAddress';
  }
}

/**
 * The form of an address for the To header and for RCPT alike, so that both name the same mailbox.
 *
 * @throws BadAddress on what is no single mailbox
 */
export function addrSpec(address: string): string {
  const spec = emailAddress(address);
  if (spec === null) throw new BadAddress();
  return spec;
}
