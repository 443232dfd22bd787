import type { IncomingHttpHeaders } from 'node:http';
import Negotiator from 'negotiator';
import { LOCALES, type Locale } from '../people/contact.ts';

/** The one of our languages that a request prefers (RFC 9110), whatever its region. Null: the request names none of them. */
export function preferredLanguage(headers: IncomingHttpHeaders): Locale | null {
  const languages = new Negotiator({ headers }).languages().map((tag) => tag.toLowerCase().split('-')[0]);
  return languages.find((language): language is Locale => LOCALES.some((locale) => locale === language)) ?? null;
}
