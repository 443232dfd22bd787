import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isPublicAddress } from '../public-address.ts';

/** The part of `dns.lookup` that is used: all addresses of a name. */
export type LookupAll = (
  hostname: string,
  options: LookupOptions & { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** The code of a connection that was not made because it would have led to a private address. */
export const PRIVATE_ADDRESS = 'EPRIVATE';

/**
 * Connects to addresses of the open internet only. What a name stands for is decided here, in the very look-up that the
 * connection is made with, so that a name which resolves differently the second time gains nothing.
 */
export function publicConnector(timeoutMs: number, resolve: LookupAll = lookup): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs, lookup: publicLookup(resolve) });
  return (options, done) => {
    const literal = options.hostname.replace(/^\[(.*)\]$/, '$1');
    // a literal address is never looked up
    if (isIP(literal) !== 0 && !isPublicAddress(literal)) return done(privateAddress(), null);
    connect(options, done);
  };
}

function publicLookup(resolve: LookupAll): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return done(error ?? notFound(), '', 0);
      // one private address among public ones is no mistake to be forgiven
      if (!addresses.every(({ address }) => isPublicAddress(address))) return done(privateAddress(), '', 0);
      if (options.all) return done(null, addresses);
      done(null, first.address, first.family);
    });
  };
}

const privateAddress = (): NodeJS.ErrnoException => withCode('a push endpoint at a private address', PRIVATE_ADDRESS);
const notFound = (): NodeJS.ErrnoException => withCode('no address', 'ENOTFOUND');
const withCode = (message: string, code: string): NodeJS.ErrnoException => Object.assign(new Error(message), { code });
