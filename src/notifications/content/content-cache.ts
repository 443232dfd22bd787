import { keepLatest } from '../../core/groups.ts';
import type { SchoolEvent } from '../../events/event.ts';
import { datesOf } from '../policy/named-dates.ts';
import { type ContentInput, contentOf } from './content.ts';
import type { Content } from './message.ts';

const KEPT = 256;

/** Facts about registrations are separate, but most have the same content (content.ts, `stampOf`). */
function contentKeyOf({ fact, trigger }: ContentInput): string {
  switch (fact.type) {
    case 'registration.pending':
    case 'registration.waitlisted':
    case 'registration.confirmed':
      return `${trigger} ${fact.occurred_at.getUTCFullYear()}`;
    case 'registration.cancelled':
      return `${trigger} ${fact.occurred_at.getTime()} ${fact.data.reason}`;
    default:
      return fact.id;
  }
}

/** Each registration changes `version`, but nothing that a text states. */
const versionOf = ({ id, updated_at, sequence }: SchoolEvent) => [id, updated_at.getTime(), sequence];

/** Caches the latest contents: all recipients with the same language and time zone share one. */
export function cachedContents(make: (input: ContentInput) => Content = contentOf): (input: ContentInput) => Content {
  const kept = new Map<string, Content>();
  return (input) => {
    const { event, fact, dates, school, channel, locale, timezone, texts = '' } = input;
    const versions = datesOf({ event, fact, dates }).flatMap((date) => versionOf(date.event));
    const about = [contentKeyOf(input), ...versions, school.updated_at.getTime()];
    const key = [...about, channel, locale, timezone, texts].join(' ');
    const known = kept.get(key);
    if (known) return known;
    const made = make(input);
    keepLatest(kept, key, made, KEPT);
    return made;
  };
}
