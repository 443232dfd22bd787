import { searchWords } from '../../core/search-words.ts';

/** The search words of an event: those of its title and tags. */
export const searchWordsOf = ({ title, tags }: { title: string; tags: readonly string[] }): string[] =>
  searchWords([title, ...tags].join(' '));
