import { listedIn } from '../core/plain-text.ts';

/**
 * The push services of Chrome, Edge, Opera, Samsung, Firefox, Windows and Safari. An allow-list, because a server that posts to
 * any address from a browser is open to request forgery.
 */
export const PUSH_HOSTS: readonly string[] = [
  'fcm.googleapis.com',
  'jmt17.google.com',
  'updates.push.services.mozilla.com',
  '*.push.services.mozilla.com',
  '*.notify.windows.com',
  'web.push.apple.com',
  '*.push.apple.com',
];

/** The limit of browsers per person; a further one replaces the oldest. */
export const BROWSERS_PER_PERSON = 20;

const LONGEST = 2048;
const HOST = /^(?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/;

/**
 * Reads PUSH_ALLOWED_HOSTS: a comma list of hosts, `*.host` for everything below one, or full origins such as
 * `http://127.0.0.1:9999`. Only a full origin may use http, another port or a private address.
 */
export const parsePushHosts = (text: string): string[] => listedIn(text.toLowerCase());

/** Whether an entry of PUSH_ALLOWED_HOSTS is a host, `*.host` or a full origin. */
export const isPushHost = (entry: string): boolean =>
  HOST.test(entry) || (/^https?:/.test(entry) && URL.canParse(entry) && new URL(entry).origin === entry);

/**
 * Why a push endpoint is refused, or null. Checks the host name only; the resolved address is checked when a connection is
 * opened.
 */
export function endpointFault(url: string, allowed: readonly string[]): string | null {
  if (url.length > LONGEST) return `is longer than ${LONGEST} characters`;
  if (!URL.canParse(url)) return 'is not a URL';
  const { protocol, hostname, port, origin, username, password } = new URL(url);
  if (username !== '' || password !== '') return 'carries credentials';
  if (allowed.includes(origin)) return null;
  if (protocol !== 'https:') return 'is not https';
  const isKnown = allowed.some((entry) => isHostOf(entry, hostname));
  return isKnown && port === '' ? null : 'is not at a known push service';
}

/**
 * The entry of the allow-list that matches a host, as a metric label: subscriptions choose the host below `*.host`, so hosts
 * would make too many labels.
 */
export const pushServiceOf = (host: string, allowed: readonly string[]): string =>
  allowed.find((entry) => isHostOf(entry, host) || entry.endsWith(`://${host}`)) ?? 'other';

const isHostOf = (entry: string, host: string): boolean =>
  entry.startsWith('*.') ? host.endsWith(entry.slice(1)) : host === entry;

/**
 * Normalizes an endpoint: without fragment, credentials and default port, the host in lower case.
 * @param url passes `endpointFault`
 */
export function normalizeEndpoint(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return origin + pathname + search;
}
