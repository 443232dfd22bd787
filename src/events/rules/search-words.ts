import { searchWords } from '../../core/search-words.ts';
import type { EventFields } from '../event-fields.ts';

type Named = Pick<EventFields, 'title' | 'translations' | 'tags'>;

/** The search words of an event: those of its title in all languages and of its tags. */
export const searchWordsOf = ({ title, translations, tags }: Named): string[] =>
  searchWords([title, ...Object.values(translations ?? {}).map((words) => words.title), ...tags].join(' '));
