/** Control characters, line separators, and marks that change the text direction. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;
const UNSEEN_BUT_LINE_ENDS = /(?!\n)[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** A value as one line: characters that could end a line or a header become blanks. */
export const oneLine = (text: string): string => text.replace(UNSEEN, ' ').trim();

/** A value that may have several lines; at most one empty line in a row. */
export const severalLines = (text: string): string =>
  text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(UNSEEN_BUT_LINE_ENDS, ' ')
    // From the first blank of a row only: from each of them, a long row would take quadratic time.
    .replace(/(?<![^\S\n])[^\S\n]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

/** The parts of a list in a text, without blanks and without empty parts. */
export const listedIn = (text = '', mark: string | RegExp = ','): string[] =>
  text.split(mark).flatMap((part) => part.trim() || []);

/** Whether a text has control characters other than line ends and tabs, or half a surrogate pair. */
export const hasControls = (text: string): boolean => /(?![\n\r\t])\p{Cc}|\p{Cs}/u.test(text);

const characters = new Intl.Segmenter();

const LINK_AT_THE_END = /https?:\/\/\S*$/i;

/**
 * At most `max` UTF-16 units, ending in `mark` if the text was cut; never half an emoji, a letter without its accent or half a
 * link, which leads nowhere.
 */
export function cut(text: string, max: number, mark = '…'): string {
  if (text.length <= max) return text;
  const end = characters.segment(text).containing(max - mark.length)?.index;
  return `${text.slice(0, end).replace(LINK_AT_THE_END, '').trimEnd()}${mark}`;
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A text as HTML, between tags or in an attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ESCAPES[character] as string);

/** A text as HTML that keeps its lines. */
export const htmlLines = (text: string): string => escapeHtml(text).replaceAll('\n', '<br>\n');

const LINK = /(https?:\/\/[^\s<>()]+[^\s<>().,;:!?])/;

/** A text as HTML that keeps its lines, with its web addresses as links. */
export const linkedLines = (text: string): string =>
  text
    .split(LINK)
    .map((part, at) => (at % 2 === 1 ? `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>` : htmlLines(part)))
    .join('');

const MAX_WORD_LENGTH = 50;

/** A text without case and accents, to search in: `Školní výlet` → `skolni vylet`. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    // Upper case first, because it turns ß into SS.
    .toUpperCase()
    .toLowerCase();

/**
 * Splits a text into unique search words without case, accents and punctuation ("Školní výlet!" → skolni, vylet). Used for
 * both queries and indexed texts.
 */
export function searchWords(text: string): string[] {
  return [...new Set(folded(text).match(/[\p{L}\p{N}]+/gu) ?? [])].map((word) => word.slice(0, MAX_WORD_LENGTH));
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
