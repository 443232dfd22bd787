import { isIP } from 'node:net';
import { namedServers } from '../../channels/email/smtp-address.ts';
import { parseClaimMapping } from '../../http/auth/claim-mapping.ts';
import { isPushHost, parsePushHosts } from '../../people/push-endpoint.ts';
import { parseRedisUrl } from '../../queues/redis-url.ts';

/** A rule for the text of a setting: a check, words that complete "must be …", and for long texts what is wrong, without values. */
export type Rule = {
  readonly is: (value: string) => boolean;
  readonly rule: string;
  readonly explain?: (value: string) => string;
};

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const among = (words: readonly string[], rule: string): Rule => ({ is: (value) => words.includes(value), rule });
const matching = (pattern: RegExp, rule: string): Rule => ({ is: (value) => pattern.test(value), rule });

function urlWith(schemes: readonly string[], rule: string, also: (url: URL) => boolean): Rule {
  const is = (value: string) => {
    const url = URL.canParse(value) ? new URL(value) : null;
    return url !== null && schemes.includes(url.protocol) && url.hostname !== '' && also(url);
  };
  return { is, rule };
}

/** Takes what `parse` takes, and explains with the message of its error. */
function explained(parse: (value: string) => unknown, rule: string): Rule {
  const explain = (value: string): string => {
    try {
      parse(value);
      return '';
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
  return { is: (value) => explain(value) === '', rule, explain };
}

const isPlain = (url: URL): boolean =>
  url.username === '' && url.password === '' && url.search === '' && url.hash === '';
const isLoopback = (url: URL): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);

export const wholeNumber = (least: number, most: number): Rule => ({
  is: (value) => /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most,
  rule: `a whole number from ${least} to ${most}`,
});

export const base64url = (bytes: number): Rule => ({
  is: (value) => /^[\w-]+$/.test(value) && Buffer.from(value, 'base64url').length === bytes,
  rule: `${bytes} bytes in base64url without padding`,
});

export const twilioSid = (prefix: string): Rule =>
  matching(new RegExp(`^${prefix}[0-9a-f]{32}$`, 'i'), `${prefix} and 32 hexadecimal digits`);

export const ONE_LINE = matching(/^[^\s\p{Cc}]([^\p{Cc}]*[^\s\p{Cc}])?$/u, 'one line of text without spaces around it');
export const HOST = matching(/^[\w.:-]+$/, 'a host name or an IP address');
export const DOMAIN = matching(
  /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z\d-]*[a-z\d]$/i,
  'a domain such as school.example.org',
);
export const DKIM_SELECTOR = matching(/^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i, 'letters, digits, dots and hyphens');
export const BUCKET = matching(/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/, 'the name of a bucket, without a path');
export const ON_OFF = among(['on', 'off'], 'on or off');
export const SECRET: Rule = { is: (value) => Buffer.byteLength(value) >= 32, rule: 'at least 32 bytes long' };
/** A PEM or a path; the process that signs finds out which, and whether it is a key. */
export const PEM_OR_FILE: Rule = { is: (value) => value.trim() === value, rule: 'a private key as PEM, or its path' };
export const LOG_LEVEL = among(LOG_LEVELS, `one of ${LOG_LEVELS.join(', ')}`);

// Not parsed as a URL, since the seed list of a replica set (`a:1,b:2`) is none.
export const MONGODB_URI = matching(/^mongodb(\+srv)?:\/\/[^\s/]+(\/\S*)?$/, 'mongodb://… or mongodb+srv://…');
export const REDIS_URL = explained(parseRedisUrl, 'redis://… or rediss://…');
// BullMQ separates with colons, and braces would pin every queue to one node of a cluster.
export const REDIS_PREFIX = matching(/^[\w-]{1,60}$/, 'up to 60 letters, digits, _ and -');
export const HTTPS_URL = urlWith(['https:'], 'https://… without user, query and fragment', isPlain);
export const WEB_URL = urlWith(['http:', 'https:'], 'http://… or https://… without user, query and fragment', isPlain);
// Keys and tokens that came over plain HTTP could be anybody's.
export const SAFE_URL = urlWith(
  ['http:', 'https:'],
  'https://… (http:// on this machine only)',
  (url) => url.protocol === 'https:' || isLoopback(url),
);

export const SMTP_URLS = explained(
  namedServers,
  'smtp://host:port or smtps://…, with user:password@ before the host if it asks for them, or several with blanks between, used in the order given',
);
export const MAILBOX = matching(
  /^([^<>@\p{Cc}]*<[^\s<>@\p{Cc}]+@[^\s<>@\p{Cc}]+>|[^\s<>@\p{Cc}]+@[^\s<>@\p{Cc}]+)$/u,
  'an address, or a name with an address in angle brackets',
);
export const CLAIM_MAPPING = explained(parseClaimMapping, 'a JSON object (sign-in.md)');
export const TOKEN_KIND = among(['access_token', 'id_token'], 'access_token or id_token');
export const QUERY = matching(/^[\w.~%+-]+=[^\s&#]*(&[\w.~%+-]+=[^\s&#]*)*$/, 'name=value, several with & between');
export const VAPID_SUBJECT: Rule = {
  is: (value) => /^mailto:[^\s@]+@[^\s@]+$/.test(value) || (value.startsWith('https://') && URL.canParse(value)),
  rule: 'mailto:… or https://…',
};

/** The parts between commas, without the spaces around them. */
export const listOf = (value: string): string[] => value.split(',').map((one) => one.trim());

const SMS_SENDER = /^(\+[1-9]\d{6,14}|\d{3,8}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11})$/;
export const SMS_SENDERS: Rule = {
  is: (value) => listOf(value).every((one) => SMS_SENDER.test(one)),
  rule:
    'a phone number in E.164, a short code or a sender name of at most 11 letters and digits; ' +
    'several with commas between, used in the order given',
};

export const PUSH_HOST_LIST: Rule = {
  is: (value) => {
    const hosts = parsePushHosts(value);
    return hosts.length > 0 && hosts.every(isPushHost);
  },
  rule: 'hosts, *.hosts or whole origins (for a stand-in) separated by commas',
};

export const ORIGINS: Rule = {
  is: (value) => listOf(value).every((one) => WEB_URL.is(one) && new URL(one).origin === one),
  rule: 'origins such as http://10.0.0.5:8080, separated by commas',
};

export const PROXIES: Rule = {
  is: (value) => /^\d{1,2}$/.test(value) || listOf(value).every(isNetwork),
  rule: 'how many proxies there are, or their addresses or networks separated by commas',
};
function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const most = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  return most > 0 && more.length === 0 && (bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most));
}

export const SHARE: Rule = matching(/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/, 'a number from 0 to 1');
export const listOfHeaders = (value: string): Record<string, string> =>
  Object.fromEntries(
    value
      .split(',')
      .map((one) => [one.slice(0, one.indexOf('=')), decodeURIComponent(one.slice(one.indexOf('=') + 1))]),
  );
// Percent-encoded, as in the specification of OpenTelemetry; HTTP takes printable ASCII only.
const HEADER = /^[\w-]+=(?:[\x21-\x24\x26-\x7e]|%(?!7f)[2-7][\da-f])+$/i;
export const HEADERS: Rule = {
  is: (value) => value.split(',').every((one) => HEADER.test(one)),
  rule: 'name=value, several with commas between',
};
