import { oneLine } from '../../core/plain-text.ts';
import type { Place } from '../../outbox/fact.ts';
import type { Locale } from '../../people/contact.ts';
import { webLink } from './terms.ts';

const WORDS = {
  en: { room: 'room', online: 'online' },
  cs: { room: 'místnost', online: 'online' },
} as const satisfies Record<Locale, Record<string, string>>;

/** The place of an event in one line, or ''. Leaves out links other than http(s). */
export function placeInWords(event: Place, locale: Locale): string {
  const { location } = event;
  const words = WORDS[locale];
  const room = oneLine(location?.room ?? '');
  const parts = [
    location?.name || event.location_name || '',
    /^\d+\w?$/.test(room) ? `${words.room} ${room}` : room,
    location?.building ?? '',
    location?.address ?? '',
  ].map(oneLine);
  const link = webLink(location?.virtualLink);
  if (location?.isVirtual || link) parts.push(link ? `${words.online}: ${link}` : words.online);
  const known = parts.filter((part, at) => part !== '' && parts.indexOf(part) === at).join(', ');
  return known.charAt(0).toLocaleUpperCase(locale) + known.slice(1);
}
