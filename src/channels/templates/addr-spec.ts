import { emailAddress } from '../../people/email-address.ts';

/** An address that can't be used alone in a header or an envelope; the error never contains the address. */
export class BadAddress extends Error {
  constructor() {
    super('not a plain addr-spec');
    this.name = 'BadAddress';
  }
}

/** The form of an address for both the To header and RCPT, so that both name the same mailbox. @throws BadAddress */
export function addrSpec(address: string): string {
  const spec = emailAddress(address);
  if (spec === null) throw new BadAddress();
  return spec;
}
