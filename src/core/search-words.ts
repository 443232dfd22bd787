const LONGEST = 50;

/**
 * A text as words to search by: without case, accents and punctuation, each once ("Školní výlet!" → skolni, vylet).
 * What is searched for and what is searched in go through here.
 */
export function searchWords(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    // Up and down again: ß and ss are the same word.
    .toUpperCase()
    .toLowerCase();
  return [...new Set(plain.match(/[\p{L}\p{N}]+/gu) ?? [])].map((word) => word.slice(0, LONGEST));
}
