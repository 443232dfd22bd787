import { cut, oneLine } from '../../core/plain-text.ts';
import type { Content, PersonValues } from '../../notifications/content/message.ts';
import type { TextsOfOne, TitledTemplate } from './template.ts';
import {
  byPresence,
  type ContentPlaceholder,
  type Part,
  type PersonField,
  type Piece,
  render,
  valuesOf,
} from './template.ts';

type Limits = Partial<Record<ContentPlaceholder | PersonField, number>>;

/** Maximum characters per value: an SMS is paid by the part, a push must fit in 4 KB (RFC 8030). */
const SMS: Limits = {
  'school.sender_name': 24,
  'event.title': 36,
  'event.place': 22,
  'event.previous_place': 22,
  'event.reason': 40,
  'message.subject': 60,
  'message.body': 160,
  'message.from': 40,
  on_behalf_of: 30,
  meetings: 80,
};
const PUSH: Limits = {
  'event.title': 90,
  'event.place': 90,
  'event.previous_place': 90,
  'event.reason': 150,
  'message.subject': 90,
  'message.body': 400,
  'message.from': 90,
  name: 60,
  on_behalf_of: 90,
  meetings: 300,
};

/** One line, in the GSM alphabet as far as its values allow. */
export function prepareSms(template: TextsOfOne['sms'], content: Content) {
  const fitted: Fit = (text, name) => within(SMS, name, foldForSms(text), '...');
  const piecesFor = prepared(template.body, content, fitted);
  return { fill: (person: PersonValues) => joined(piecesFor(person), person, fitted) };
}

export function preparePush(template: TitledTemplate, content: Content) {
  return prepareTitled(template, content, (text, name) => within(PUSH, name, oneLine(text), '…'));
}

export function prepareInApp(template: TitledTemplate, content: Content) {
  return prepareTitled(template, content, (text) => text);
}

type Fit = (text: string, name: ContentPlaceholder | PersonField) => string;

function prepareTitled(template: TitledTemplate, content: Content, fitted: Fit) {
  const title = prepared(template.title, content, fitted);
  const body = prepared(template.body, content, fitted);
  return {
    fill: (person: PersonValues) => ({
      title: joined(title(person), person, fitted),
      body: joined(body(person), person, fitted),
    }),
  };
}

function prepared(parts: Part[], content: Content, fitted: Fit): (person: PersonValues) => Piece[] {
  const values = valuesOf(content);
  return byPresence([parts], (present) => render(parts, (name) => fitted(values[name], name), present));
}

function joined(pieces: readonly Piece[], person: PersonValues, fitted: Fit): string {
  let text = '';
  for (const piece of pieces)
    text += typeof piece === 'string' ? piece : fitted(oneLine(person[piece.field]), piece.field);
  return text;
}

function within(limits: Limits, name: keyof Limits, text: string, mark: string): string {
  const max = limits[name];
  if (max === undefined) return text;
  return name === 'event.place' || name === 'event.previous_place'
    ? nearestPlace(text, max, mark)
    : cut(text, max, mark);
}

/** Drops the outermost parts of a place first, and any link, because half a link leads nowhere. */
function nearestPlace(place: string, max: number, mark: string): string {
  const [first = '', ...more] = place.replace(/: https?:.*$/i, '').split(', ');
  let text = cut(first, max, mark);
  for (const part of more) {
    if (text.length + part.length + 2 > max) break;
    text += `, ${part}`;
  }
  return text;
}

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
    ['‘’‚`´′', "'"],
    ['“”„«»″', '"'],
    ['–—‐‑−•·', '-'],
    ['łŁđĐðı', 'lLdDdi'],
    ['×', 'x'],
    ['°', ' '],
  ].flatMap(([from = '', to = '']) => [...from].map((character, at) => [character, to[at] ?? to] as const)),
)
  .set('…', '...')
  .set('œ', 'oe')
  .set('Œ', 'OE');

/** Emoji, and characters that no one sees, such as soft hyphens: a part of a message with any of them holds half as much. */
const UNSHOWN =
  /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\p{Default_Ignorable_Code_Point}]|\u20e3/gu;

/**
 * Folds a value for SMS: plain quotes and dashes, no emoji, and Latin letters without diacritics unless the alphabet has all
 * letters of the value. Keeps letters of other scripts: an unreadable name would be worse than a message in two parts.
 */
export function foldForSms(text: string): string {
  const composed = text.normalize('NFC');
  // Some diacritics without the others would look like a mistake.
  const plain = outsideGsm7(composed).some((character) => /[\p{L}\p{Mn}]/u.test(character))
    ? composed
        .normalize('NFD')
        .replace(/(?<=[\p{Script=Latin}\p{P}\p{N}\p{Z}])\p{Mn}+/gu, '')
        .normalize('NFC')
    : composed;
  return plain
    .replace(/[^\p{ASCII}]|`/gu, (character) => SPELLED.get(character) ?? character)
    .replace(UNSHOWN, '')
    .replace(/[\p{Zs}\s]+/gu, ' ')
    .trim();
}
