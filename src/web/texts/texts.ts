import { setupI18n } from '@lingui/core';
import { LANGUAGE_KEY, type Language } from './languages.ts';

/** Ids of all texts; a test checks that every language has the same. */
export type TextId = keyof (typeof import('./en/first.json') & typeof import('./en/others.json'));
type Values = Record<string, string | number>;

type Files = Record<Language, () => Promise<{ default: Record<string, string> }>>;

const FIRST: Files = { en: () => import('./en/first.json'), cs: () => import('./cs/first.json') };
const OTHERS: Files = { en: () => import('./en/others.json'), cs: () => import('./cs/others.json') };

const i18n = setupI18n();
let current: Language = 'en';

/** The language of the page. */
export const language = (): Language => current;

/** Locale of dates and numbers; British English, since weeks begin on Monday. */
export const formatTag = (): string => (language() === 'en' ? 'en-GB' : language());

async function load(files: Files): Promise<void> {
  const { default: texts } = await files[current]();
  i18n.load(current, texts);
}

/** Loads the first page's texts in a language, in which the pages then render. */
export async function loadLanguage(wanted: Language): Promise<void> {
  current = wanted;
  await load(FIRST);
  i18n.activate(wanted);
}

/** A script that loads after the first page, once the texts that the first page does not need are there too. */
export async function withOtherTexts<Script>(loading: Promise<Script>): Promise<Script> {
  const [script] = await Promise.all([loading, load(OTHERS)]);
  return script;
}

/** Loads the page anew in a language that this device remembers. The browser asks first if something is not saved. */
export function chooseLanguage(wanted: Language): void {
  localStorage.setItem(LANGUAGE_KEY, wanted);
  if (wanted !== language()) window.location.reload();
}

/** A text in the current language. */
export const t = (id: TextId, values?: Values): string => i18n._(id, values);

/** Label of an API value; a value without a translation appears with spaces for underscores. */
export function word(kind: string, value: string, otherwise = value.replaceAll('_', ' '), values?: Values): string {
  const id = `${kind}.${value}`;
  return i18n.messages[id] === undefined ? otherwise : i18n._(id, values);
}

/** Values of the API as options, with their labels. */
export const wordOptions = <T extends string>(kind: string, values: readonly T[]): { value: T; label: string }[] =>
  values.map((value) => ({ value, label: word(kind, value) }));

/** Dates begin with a small letter in Czech. Not with CSS: Firefox gives screen readers a `::first-letter` as a text of its own. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Readable name of a class, grade or department, made from its id: `class-5a` is 5A, in Czech 5. A. */
export function groupName(id: string): string {
  const bare = id.replace(/^(class|grade|department|dept)[-_: ]/i, '').replace(/[-_]+/g, ' ');
  if (bare.length > 3) return capital(bare);
  const name = bare.toUpperCase();
  return language() === 'cs' ? name.replace(/^(\d+) ?(\p{L})$/u, '$1. $2') : name;
}

/** `2,700`, in Czech `2 700`; at most one decimal */
export const numberText = (value: number): string =>
  new Intl.NumberFormat(formatTag(), { maximumFractionDigits: 1 }).format(value);

/** `50%`, in Czech `50 %` */
export const percentText = (share: number): string =>
  new Intl.NumberFormat(formatTag(), { style: 'percent' }).format(share);

/** The size of a file, for example `1.2 MB`. */
export function sizeText(bytes: number): string {
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1000, 'kilobyte'] : [bytes / 1_000_000, 'megabyte'];
  return new Intl.NumberFormat(language(), { style: 'unit', unit, maximumFractionDigits: value < 10 ? 1 : 0 }).format(
    value,
  );
}
