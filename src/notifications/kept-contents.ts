import type { Fact } from '../facts/fact.ts';
import { keepLatest } from '../kernel/keep-latest.ts';
import { type ContentInput, contentOf } from './content.ts';
import type { Content } from './message.ts';

const KEPT = 256;

/** Each confirmation is a fact of its own, and all of one year say the same (content.ts, `stampOf`). */
const saidBy = (fact: Fact): string =>
  fact.type === 'registration.confirmed' ? `${fact.type} ${fact.occurred_at.getUTCFullYear()}` : fact.id;

/**
 * Contents made so far, so that everyone told in one language and zone shares one: a group asks for the same again and
 * again. Holds the latest ones only.
 */
export function keptContents(make: (input: ContentInput) => Content = contentOf): (input: ContentInput) => Content {
  const kept = new Map<string, Content>();
  return (input) => {
    const { event, fact, school, channel, locale, timezone, texts = '' } = input;
    const about = [saidBy(fact), event.id, event.version, school.updated_at.getTime()];
    const key = [...about, channel, locale, timezone, texts].join(' ');
    const known = kept.get(key);
    if (known) return known;
    const made = make(input);
    keepLatest(kept, key, made, KEPT);
    return made;
  };
}
