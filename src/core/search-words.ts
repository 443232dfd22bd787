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
