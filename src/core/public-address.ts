import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { fault, invalid } from './errors.ts';

/** Whether a string is an IP address that is routed on the internet; false for anything that is not an IP address. */
export const isPublicAddress = (address: string): boolean =>
  isIP(address) !== 0 && ipaddr.parse(address).range() === 'unicast';

/** Whether the host of a URL is an IP address that is not on the internet; false for names, which only a look-up tells. */
export function isPrivateHost(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(address) !== 0 && !isPublicAddress(address);
}

/** Checks an address that a person entered at `/url`. @throws Refused `validation_failed` if its host is a private IP address */
export function refusePrivateHost({ hostname }: URL): void {
  if (isPrivateHost(hostname))
    throw invalid([fault('/url', 'must not be an IP address of a private network', 'private_address')]);
}
