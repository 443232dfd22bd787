import { keepLatest } from '../../core/keep-latest.ts';
import type { Fact } from '../../outbox/fact.ts';
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
export function cachedContents(make: (input: ContentInput) => Content = contentOf): (input: ContentInput) => Content {
  const kept = new Map<string, Content>();
  // Those judged together ask about the same objects: for them the languages are all that is compared.
  let asked: Pick<ContentInput, 'event' | 'fact' | 'school'> | null = null;
  const ofAsked = new Map<string, Content>();
  return (input) => {
    const { event, fact, school, channel, locale, timezone, texts = '' } = input;
    if (asked?.event !== event || asked.fact !== fact || asked.school !== school) {
      asked = { event, fact, school };
      ofAsked.clear();
    }
    const how = `${channel} ${locale} ${timezone} ${texts}`;
    const known = ofAsked.get(how);
    if (known) return known;
    const content = keptOrMade(input, how);
    ofAsked.set(how, content);
    return content;
  };

  function keptOrMade(input: ContentInput, how: string): Content {
    const { event, fact, school } = input;
    const about = [saidBy(fact), event.id, event.version, school.updated_at.getTime()];
    const key = [...about, how].join(' ');
    const known = kept.get(key);
    if (known) return known;
    const made = make(input);
    keepLatest(kept, key, made, KEPT);
    return made;
  }
}
