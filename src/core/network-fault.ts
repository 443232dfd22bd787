/** Errors of TLS by their codes in Node, in words for an operator. */
const TLS_FAULTS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is not trusted: name its CA in tlsCAFile',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is not trusted: name its CA in tlsCAFile',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is not trusted: name its CA in tlsCAFile',
  UNABLE_TO_GET_ISSUER_CERT: 'the certificate is not trusted: name its CA in tlsCAFile',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate is not trusted: name its CA in tlsCAFile',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host name',
  EPROTO: 'the server does not speak TLS',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the server does not speak TLS',
};

type SystemError = Error & { code?: unknown; hostname?: string; address?: string; port?: number; path?: string };

/** Why a connection failed, in words for an operator and without secrets; null for other errors. Looks at causes too. */
export function networkFault(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code, hostname, address, port, path, message } = error as SystemError;
  const words = typeof code === 'string' ? TLS_FAULTS[code] : undefined;
  if (words) return words;
  if (/wrong version number|packet length too long/i.test(message)) return TLS_FAULTS.EPROTO ?? null;
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
    case 'ECONNRESET':
      return 'the server closed the connection: it may ask for TLS, or for a certificate of the client';
    case 'ENOENT':
    case 'EACCES':
      return `the file ${path} cannot be read`;
    default:
      return networkFault(error.cause);
  }
}
