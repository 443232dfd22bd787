const MAX_WORD_LENGTH = 50;

/**
 * Splits a text into unique search words without case, accents and punctuation ("Školní výlet!" → skolni, vylet). Used for
 * both queries and indexed texts.
 */
export function searchWords(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    // Upper case first, because it turns ß into SS.
    .toUpperCase()
    .toLowerCase();
  return [...new Set(plain.match(/[\p{L}\p{N}]+/gu) ?? [])].map((word) => word.slice(0, MAX_WORD_LENGTH));
}

/** @returns whether a name contains a word beginning with each word of `query` */
export function nameFilter(query: string): (name: string) => boolean {
  const wanted = searchWords(query);
  if (wanted.length === 0) return () => true;
  return (name) => {
    const words = searchWords(name);
    return wanted.every((one) => words.some((word) => word.startsWith(one)));
  };
}
