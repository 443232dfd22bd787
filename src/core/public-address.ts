import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { invalidField } from './errors.ts';

/** Whether a string is an IP address that is routed on the internet; false for anything that is not an IP address. */
export const isPublicAddress = (address: string): boolean =>
  isIP(address) !== 0 && ipaddr.parse(address).range() === 'unicast';

/** Whether the host of a URL is `localhost` or an IP address that is not on the internet. Of other names only a look-up tells. */
export function isPrivateHost(hostname: string): boolean {
  if (/(^|\.)localhost\.?$/.test(hostname)) return true;
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(address) !== 0 && !isPublicAddress(address);
}

/**
 * Checks an address that a person entered at `/url`: https, without a password, and at no private address. Where its name
 * leads to is checked with each connection.
 * @param allowedOrigins also with http or at a private address
 * @throws Refused `validation_failed`
 */
export function checkAddress(address: string, allowedOrigins: readonly string[] = []): void {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isAllowed = allowedOrigins.includes(url?.origin ?? '');
  if (!(isAllowed || url?.protocol === 'https:') || url?.username !== '' || url.password !== '')
    throw invalidField('/url', 'must be an https address without a password', 'uri');
  if (!isAllowed && isPrivateHost(url.hostname))
    throw invalidField('/url', 'must not be an address of a private network', 'private_address');
}
