import { searchWords } from '../../core/plain-text.ts';
import type { Locale } from '../../people/contact.ts';
import type { EventFields } from '../event-fields.ts';

type Translated = Partial<Pick<EventFields, 'title' | 'description' | 'translations'>>;

/**
 * The event with its title and description in a reader's language, as far as they are translated into it; null: as written.
 * Everything that shows an event to a reader calls this function.
 */
export function inLanguage<E extends Translated>(event: E, locale: Locale | null): E {
  const words = locale && event.translations?.[locale];
  return words ? { ...event, title: words.title, description: words.description || event.description } : event;
}

type Named = Pick<EventFields, 'title' | 'translations' | 'tags'>;

/** The search words of an event: those of its title in all languages and of its tags. */
export const searchWordsOf = ({ title, translations, tags }: Named): string[] =>
  searchWords([title, ...Object.values(translations ?? {}).map((words) => words.title), ...tags].join(' '));
