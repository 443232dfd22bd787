/** One mail server, as SMTP_URL names it. */
export type SmtpAddress = {
  host: string;
  port: number;
  /** TLS from the first byte (smtps) */
  secure: boolean;
  /** whether to use STARTTLS: if the server offers it; always, messages wait until it does; never */
  starttls: 'offered' | 'required' | 'none';
  login: { user: string; pass: string } | null;
  /** the name for EHLO; null: this machine's */
  ehlo: string | null;
  /** connections open at the same time, at most */
  connections: number;
};

const CONNECTIONS_DEFAULT = 20;
const CONNECTIONS_MAX = 1000;
const PARAMETERS = ['pool', 'tls', 'ehlo'];
const STARTTLS = ['offered', 'required', 'none'] as const;

/**
 * Parses `smtp://user:pass@host:port?pool=20&tls=required&ehlo=name`; `smtps` uses TLS from the first byte. Ports default
 * to 587 and 465; user and password are percent-encoded. A password makes TLS required unless `tls=none` is given.
 *
 * @throws Error that names the setting and the fault, and never repeats the value
 */
export function parseSmtpUrl(text: string): SmtpAddress {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:')) {
    throw new Error('SMTP_URL must look like smtp://host:port or smtps://…');
  }
  if (url.hostname === '') throw new Error('SMTP_URL names no host');
  if (url.pathname !== '' && url.pathname !== '/') throw new Error('SMTP_URL must have no path');
  for (const name of url.searchParams.keys()) {
    if (!PARAMETERS.includes(name)) throw new Error(`SMTP_URL allows only the parameters ${PARAMETERS.join(', ')}`);
  }
  const secure = url.protocol === 'smtps:';
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    starttls: starttlsOf(url),
    login: loginOf(url),
    ehlo: ehloOf(url),
    connections: numberOf(url, 'pool', CONNECTIONS_DEFAULT, CONNECTIONS_MAX),
  };
}

function starttlsOf(url: URL): SmtpAddress['starttls'] {
  const wish = url.searchParams.get('tls') ?? 'offered';
  const known = STARTTLS.find((one) => one === wish);
  if (!known) throw new Error(`SMTP_URL: tls must be one of ${STARTTLS.join(', ')}`);
  // An attacker on the network could remove the server's offer of TLS and read the password.
  return known === 'offered' && url.password !== '' ? 'required' : known;
}

function ehloOf(url: URL): string | null {
  const name = url.searchParams.get('ehlo');
  if (name === null) return null;
  if (!/^[A-Za-z0-9.-]{1,253}$|^\[[A-Za-z0-9.:]+\]$/.test(name))
    throw new Error('SMTP_URL: ehlo must be a host name, or an IP address in square brackets');
  return name;
}

function numberOf(url: URL, name: string, standard: number, most: number): number {
  const wish = url.searchParams.get(name) ?? String(standard);
  const count = /^\d{1,4}$/.test(wish) ? Number(wish) : 0;
  if (count < 1 || count > most) throw new Error(`SMTP_URL: ${name} must be a number from 1 to ${most}`);
  return count;
}

/** The servers by their names in metrics and deliveries; a second URL of the same server gets a number. */
export function namedServers(urls: readonly string[]): Record<string, SmtpAddress> {
  const named: Record<string, SmtpAddress> = {};
  for (const address of urls.map(parseSmtpUrl)) {
    const name = `${address.host}:${address.port}`;
    named[name in named ? `${name}#${Object.keys(named).length + 1}` : name] = address;
  }
  return named;
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
