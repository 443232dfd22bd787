/** Where mail is handed over, as SMTP_URL tells it. */
export type SmtpAddress = {
  host: string;
  port: number;
  /** TLS from the first byte (smtps) */
  secure: boolean;
  /** STARTTLS: where the server offers it, or the message waits, or never */
  starttls: 'offered' | 'required' | 'never';
  login: { user: string; pass: string } | null;
  /** most connections at once */
  connections: number;
};

const CONNECTIONS_DEFAULT = 20;
const CONNECTIONS_MAX = 1000;
const STARTTLS = ['offered', 'required', 'never'] as const;

/**
 * Reads `smtp://user:pass@host:port?pool=20&tls=offered`; `smtps` speaks TLS at once. Ports default to 587 and 465, and
 * user and password are percent-encoded as in every URL.
 *
 * @throws Error that names the setting and the fault, and never repeats the value
 */
export function parseSmtpUrl(text: string): SmtpAddress {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:')) {
    throw new Error('SMTP_URL must look like smtp://user:password@host:port or smtps://…');
  }
  if (url.hostname === '') throw new Error('SMTP_URL names no host');
  if (url.pathname !== '' && url.pathname !== '/') throw new Error('SMTP_URL must have no path');
  for (const name of url.searchParams.keys()) {
    if (name !== 'pool' && name !== 'tls') throw new Error('SMTP_URL knows the parameters pool and tls only');
  }
  const secure = url.protocol === 'smtps:';
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    starttls: starttlsOf(url),
    login: loginOf(url),
    connections: connectionsOf(url),
  };
}

function starttlsOf(url: URL): SmtpAddress['starttls'] {
  const wish = url.searchParams.get('tls') ?? 'offered';
  const known = STARTTLS.find((one) => one === wish);
  if (!known) throw new Error(`SMTP_URL: tls must be one of ${STARTTLS.join(', ')}`);
  return known;
}

function connectionsOf(url: URL): number {
  const wish = url.searchParams.get('pool') ?? String(CONNECTIONS_DEFAULT);
  const count = /^\d{1,4}$/.test(wish) ? Number(wish) : 0;
  if (count < 1 || count > CONNECTIONS_MAX) {
    throw new Error(`SMTP_URL: pool must be a number of connections from 1 to ${CONNECTIONS_MAX}`);
  }
  return count;
}

function loginOf(url: URL): SmtpAddress['login'] {
  if (url.username === '' && url.password === '') return null;
  if (url.username === '' || url.password === '')
    throw new Error('SMTP_URL must have both user and password, or neither');
  try {
    return { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) };
  } catch {
    throw new Error('SMTP_URL: user and password must be percent-encoded');
  }
}
