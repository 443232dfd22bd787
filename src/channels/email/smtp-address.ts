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

const PARAMETERS = ['pool', 'tls', 'ehlo'];
const STARTTLS = ['offered', 'required', 'none'] as const;

/**
 * Parses `smtp://user:pass@host:port?pool=20&tls=required&ehlo=name`; `smtps` uses TLS from the first byte. Ports default
 * to 587 and 465; user and password are percent-encoded. A password makes TLS required unless `tls=none` is given.
 *
 * @throws RangeError with words that complete "SMTP_URL …", without values
 */
export function parseSmtpUrl(text: string): SmtpAddress {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:') || url.hostname === '')
    throw new RangeError('must be smtp://host:port or smtps://…');
  if (url.pathname !== '' && url.pathname !== '/') throw new RangeError('must be without a path');
  for (const name of url.searchParams.keys())
    if (!PARAMETERS.includes(name)) throw new RangeError(`must have no parameters but ${PARAMETERS.join(', ')}`);
  const [pool, ehlo] = [url.searchParams.get('pool') ?? '20', url.searchParams.get('ehlo')];
  if (!/^([1-9]\d{0,2}|1000)$/.test(pool)) throw new RangeError('must have a number from 1 to 1000 as pool');
  if (ehlo !== null && !/^[A-Za-z0-9.-]{1,253}$|^\[[A-Za-z0-9.:]+\]$/.test(ehlo))
    throw new RangeError('must have a host name, or an IP address in square brackets, as ehlo');
  const secure = url.protocol === 'smtps:';
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    starttls: starttlsOf(url),
    login: loginOf(url),
    ehlo,
    connections: Number(pool),
  };
}

function starttlsOf(url: URL): SmtpAddress['starttls'] {
  const wish = url.searchParams.get('tls') ?? 'offered';
  const known = STARTTLS.find((one) => one === wish);
  if (!known) throw new RangeError(`must have one of ${STARTTLS.join(', ')} as tls`);
  // An attacker on the network could remove the server's offer of TLS and read the password.
  return known === 'offered' && url.password !== '' ? 'required' : known;
}

/**
 * The servers of SMTP_URL by their names in metrics and deliveries; a second URL of the same server gets a number. URLs are
 * separated by blanks, or by a comma in front of a scheme: another comma belongs to its URL.
 * @throws RangeError as `parseSmtpUrl`
 */
export function namedServers(text: string): Record<string, SmtpAddress> {
  const named: Record<string, SmtpAddress> = {};
  const urls = text.trim().split(/\s*,\s*(?=smtps?:)|\s+/);
  for (const address of urls.map(parseSmtpUrl)) {
    const name = `${address.host}:${address.port}`;
    named[name in named ? `${name}#${Object.keys(named).length + 1}` : name] = address;
  }
  return named;
}

function loginOf(url: URL): SmtpAddress['login'] {
  if (url.username === '' && url.password === '') return null;
  if (url.username === '' || url.password === '') throw new RangeError('must have both user and password, or neither');
  try {
    return { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) };
  } catch {
    throw new RangeError('must have user and password percent-encoded');
  }
}
