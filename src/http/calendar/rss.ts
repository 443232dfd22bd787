import { OFF_STATES } from '../../calendar/ics.ts';
import { escapeHtml, htmlLines, oneLine, severalLines } from '../../core/plain-text.ts';
import { inLanguage, placeName, type SchoolEvent } from '../../events/event.ts';
import { inWords, spanOf, zoneInWords } from '../../notifications/content/when.ts';
import type { Locale } from '../../people/contact.ts';
import type { School } from '../../people/school.ts';
import { publicEventPage, publicPage } from '../events/event-view.ts';

const NO_DATE: Record<Locale, string> = { en: 'The new date is not known yet.', cs: 'Nový termín zatím neznáme.' };

/** Public events as an RSS 2.0 feed. A cancelled or postponed event is an item of its own, so that readers show it as news. */
export function rssOf(
  { school_id, name, locale, timezone }: Pick<School, 'school_id' | 'name' | 'locale' | 'timezone'>,
  events: readonly SchoolEvent[],
  publicUrl: string,
): string {
  const items = events.map((event) => rssItem(inLanguage(event, locale), publicUrl, locale, timezone));
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0"><channel>',
    element('title', name),
    element('link', publicPage(publicUrl, school_id)),
    element('description', name),
    element('language', locale),
    ...items,
    '</channel></rss>\n',
  ];
  // XML can't contain these two characters: readers would refuse the whole feed.
  return lines.join('\n').replace(/[\ufffe\uffff]/g, '');
}

/** @param here the zone of the school: that of an event elsewhere is named */
function rssItem(event: SchoolEvent, publicUrl: string, locale: Locale, here: string): string {
  const { id, school_id, title, status, description, postponed_to, published_at, updated_at, timezone } = event;
  const state = OFF_STATES[status]?.[locale];
  const isDateKnown = status !== 'postponed' || postponed_to !== null;
  const span = spanOf(event, timezone);
  const zone = span.timed && timezone !== here ? `, ${zoneInWords(timezone, locale, event.starts_at)}` : '';
  const when = isDateKnown ? inWords(span, locale) + zone : NO_DATE[locale];
  const lines = [when, placeName(event) ?? '', severalLines(description ?? '')];
  return [
    '<item>',
    element('title', state ? `${state}: ${title}` : title),
    element('link', `${publicEventPage(publicUrl, school_id)}${id}`),
    `<guid isPermaLink="false">${id}${state ? `/${status}` : ''}</guid>`,
    element('pubDate', ((state ? null : published_at) ?? updated_at).toUTCString()),
    `<description>${escapeHtml(htmlLines(lines.filter((line) => line !== '').join('\n')))}</description>`,
    '</item>',
  ].join('\n');
}

const element = (name: string, text: string): string => `<${name}>${escapeHtml(oneLine(text))}</${name}>`;
