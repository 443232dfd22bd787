const NO_TLS = 'the server does not speak TLS';

/** Codes of TLS errors in Node, and what they mean, in words for an operator. */
const TLS_FAULTS: readonly (readonly [codes: RegExp, words: string])[] = [
  [/^(?:DEPTH_ZERO_)?SELF_SIGNED_CERT/, 'the certificate is not trusted: name its CA in tlsCAFile'],
  [/^UNABLE_TO_(?:VERIFY_LEAF|GET_ISSUER)/, 'the certificate is not trusted: name its CA in tlsCAFile'],
  [/^CERT_HAS_EXPIRED$/, 'the certificate has expired'],
  [/^CERT_NOT_YET_VALID$/, 'the certificate is not valid yet'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'the certificate is for another host name'],
  [/^EPROTO$|^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/, NO_TLS],
];

type SystemError = Error & { code?: unknown; hostname?: string; address?: string; port?: number; path?: string };

/** Why a connection failed, in words for an operator and without secrets; null for other errors. Looks at causes too. */
export function networkFault(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code, hostname, address, port, path, message } = error as SystemError;
  const known = TLS_FAULTS.find(([codes]) => typeof code === 'string' && codes.test(code));
  if (known) return known[1];
  if (/wrong version number|packet length too long/i.test(message)) return NO_TLS;
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'ENODATA':
      return `the host ${hostname ?? ''} is unknown`;
    case 'ECONNREFUSED':
      return `nothing listens at ${address}:${port}`;
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return 'the host does not answer';
    case 'EPIPE':
    case 'ECONNRESET':
      return 'the server closed the connection: it may take none from other machines, or ask for TLS or a client certificate';
    case 'ENOENT':
    case 'EACCES':
      return `the file ${path} cannot be read`;
    default:
      return networkFault(error.cause);
  }
}
