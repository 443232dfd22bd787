import { keepLatest } from '../../core/group-by.ts';
import type { Fact } from '../../outbox/fact.ts';
import { type ContentInput, contentOf } from './content.ts';
import type { Content } from './message.ts';

const KEPT = 256;

/** All confirmations of one year have the same content, although each is a separate fact (content.ts, `stampOf`). */
const contentKeyOf = (fact: Fact): string =>
  fact.type === 'registration.confirmed' ? `${fact.type} ${fact.occurred_at.getUTCFullYear()}` : fact.id;

/** Caches the latest contents: all recipients with the same language and time zone share one. */
export function cachedContents(make: (input: ContentInput) => Content = contentOf): (input: ContentInput) => Content {
  const kept = new Map<string, Content>();
  return (input) => {
    const { event, fact, school, channel, locale, timezone, texts = '' } = input;
    const about = [contentKeyOf(fact), event.id, event.version, school.updated_at.getTime()];
    const key = [...about, channel, locale, timezone, texts].join(' ');
    const known = kept.get(key);
    if (known) return known;
    const made = make(input);
    keepLatest(kept, key, made, KEPT);
    return made;
  };
}
