import { searchWords } from '../../core/search-words.ts';

/** The words an event is found by: those of its title and its tags. */
export const wordsOf = ({ title, tags }: { title: string; tags: readonly string[] }): string[] =>
  searchWords([title, ...tags].join(' '));
