/** GSM 03.38: the basic alphabet, and the characters of its extension, which count twice. */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const EXTENSION = '^{}\\[~]|€';
const ALPHABET = new Set(BASIC + EXTENSION);

/** The characters of a text that the alphabet lacks; one is enough to halve the room of the whole message. */
export const outsideGsm7 = (text: string): string[] =>
  [...new Set(text)].filter((character) => !ALPHABET.has(character));

/** How many septets a text takes: 160 in one message, 153 in each of several. */
export function septets(text: string): number {
  let count = 0;
  for (const character of text) count += EXTENSION.includes(character) ? 2 : 1;
  return count;
}

/** How many messages a text is paid as. */
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
 * A value for an SMS: Latin letters without their marks, plain quotes and dashes, no emoji. Letters of other scripts
 * stay: a name nobody could read would be worse than a message in two parts.
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
