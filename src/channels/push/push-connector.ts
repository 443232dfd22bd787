import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';

/** `dns.lookup` with all addresses of a name. */
export type LookupAll = (
  hostname: string,
  options: LookupOptions & { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** The error code of a refused connection to a private address. */
export const PRIVATE_ADDRESS = 'EPRIVATE';

/**
 * Connects to public addresses only. Checks the result of the same DNS look-up that the connection uses, so that a name
 * that resolves differently the second time (DNS rebinding) can't bypass the check.
 */
export function publicConnector(timeoutMs: number, resolve: LookupAll = lookup): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs, lookup: publicLookup(resolve) });
  return (options, done) => {
    const literal = options.hostname.replace(/^\[(.*)\]$/, '$1');
    // a literal IP address is never looked up
    if (isIP(literal) !== 0 && !isPublicAddress(literal)) return done(privateAddress(), null);
    connect(options, done);
  };
}

function publicLookup(resolve: LookupAll): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return done(error ?? notFound(), '', 0);
      // one private address among public ones is an attack too
      if (!addresses.every(({ address }) => isPublicAddress(address))) return done(privateAddress(), '', 0);
      if (options.all) return done(null, addresses);
      done(null, first.address, first.family);
    });
  };
}

const privateAddress = (): NodeJS.ErrnoException => withCode('a push endpoint at a private address', PRIVATE_ADDRESS);
const notFound = (): NodeJS.ErrnoException => withCode('no address', 'ENOTFOUND');
const withCode = (message: string, code: string): NodeJS.ErrnoException => Object.assign(new Error(message), { code });

const reserved = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8], // this host
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, cloud metadata
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
] as const) {
  reserved.addSubnet(net, bits, 'ipv4');
}
for (const [net, bits] of [
  ['2001::', 23], // protocol assignments, Teredo
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4: any IPv4 address inside
  ['3fff::', 20], // documentation
] as const) {
  reserved.addSubnet(net, bits, 'ipv6');
}

/** All addresses routed on the internet (RFC 4291 §2.4); excludes loopback, v4-mapped, NAT64, unique-local and link-local. */
const global = new BlockList();
global.addSubnet('2000::', 3, 'ipv6');

/** Whether a string is a public IP address; false for anything that is not an IP address. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !reserved.check(address, 'ipv4');
    case 6:
      return global.check(address, 'ipv6') && !reserved.check(address, 'ipv6');
    default:
      return false;
  }
}
