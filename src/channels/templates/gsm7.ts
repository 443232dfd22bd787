/** GSM 03.38: the basic alphabet, and its extension, whose characters count twice. */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const EXTENSION = '^{}\\[~]|€';
const ALPHABET = new Set(BASIC + EXTENSION);

/** The characters of a text outside the alphabet: a single one halves the length of the message. */
export const outsideGsm7 = (text: string): string[] =>
  [...new Set(text)].filter((character) => !ALPHABET.has(character));

/** How many septets a text takes: 160 in one message, 153 in each of several. */
export function septets(text: string): number {
  let count = 0;
  for (const character of text) count += EXTENSION.includes(character) ? 2 : 1;
  return count;
}

/** How many message parts a text costs. */
export function segmentsOf(text: string): number {
  const wide = outsideGsm7(text).length > 0;
  const length = wide ? text.length : septets(text);
  const [alone, each] = wide ? [70, 67] : [160, 153];
  return length <= alone ? 1 : Math.ceil(length / each);
}

const SPELLED = new Map(
  [
    ['‘’‚`´', "'"],
    ['“”„«»', '"'],
    ['–—‑−•·', '-'],
    ['øØłŁđĐðı', 'oOlLdDdi'],
    ['×', 'x'],
    ['°', ' '],
  ].flatMap(([from = '', to = '']) => [...from].map((character, at) => [character, to[at] ?? to] as const)),
)
  .set('…', '...')
  .set('€', 'EUR')
  .set('ß', 'ss')
  .set('æ', 'ae')
  .set('Æ', 'AE')
  .set('œ', 'oe')
  .set('Œ', 'OE');

const PICTURES =
  /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\u200b-\u200f]|[\ufe00-\ufe0f]|\u20e3/gu;

/**
 * Folds a value for SMS: Latin letters without diacritics, plain quotes and dashes, no emoji. Keeps letters of other
 * scripts: an unreadable name would be worse than a message in two parts.
 */
export function foldForSms(text: string): string {
  return text
    .normalize('NFD')
    .replace(/(?<=[\p{Script=Latin}\p{P}\p{N}\p{Z}])\p{Mn}+/gu, '')
    .normalize('NFC')
    .replace(/[^\p{ASCII}]|`/gu, (character) => SPELLED.get(character) ?? character)
    .replace(PICTURES, '')
    .replace(/[\p{Zs}\s]+/gu, ' ')
    .trim();
}
