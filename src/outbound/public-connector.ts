import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { buildConnector, type Response } from 'undici';
import { isPrivateHost, isPublicAddress } from '../core/public-address.ts';

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
    // a literal IP address is never looked up
    if (isPrivateHost(options.hostname)) return done(privateAddress(), null);
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

const privateAddress = (): NodeJS.ErrnoException => withCode('a private address', PRIVATE_ADDRESS);
const notFound = (): NodeJS.ErrnoException => withCode('no address', 'ENOTFOUND');
const withCode = (message: string, code: string): NodeJS.ErrnoException => Object.assign(new Error(message), { code });

/** Reads the body of a response. @returns null if it has more than `most` bytes */
export async function readBody({ body }: Response, most: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > most) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
