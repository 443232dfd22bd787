import { keepLatest } from '../../core/keep-latest.ts';
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
  // Rows of one group share these objects, so for them only language, zone and channel are compared.
  let latest: Pick<ContentInput, 'event' | 'fact' | 'school'> | null = null;
  const ofLatest = new Map<string, Content>();
  return (input) => {
    const { event, fact, school, channel, locale, timezone, texts = '' } = input;
    if (latest?.event !== event || latest.fact !== fact || latest.school !== school) {
      latest = { event, fact, school };
      ofLatest.clear();
    }
    const how = `${channel} ${locale} ${timezone} ${texts}`;
    const known = ofLatest.get(how);
    if (known) return known;
    const content = findOrMake(input, how);
    ofLatest.set(how, content);
    return content;
  };

  function findOrMake(input: ContentInput, how: string): Content {
    const { event, fact, school } = input;
    const about = [contentKeyOf(fact), event.id, event.version, school.updated_at.getTime()];
    const key = [...about, how].join(' ');
    const known = kept.get(key);
    if (known) return known;
    const made = make(input);
    keepLatest(kept, key, made, KEPT);
    return made;
  }
}
