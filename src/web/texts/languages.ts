import type { components } from '../api/types.ts';

type OfApi = components['schemas']['School']['locale'];
export const LANGUAGES = { en: 'English', cs: 'Čeština' } as const satisfies Record<OfApi, string>;
export type Language = keyof typeof LANGUAGES;
export const LANGUAGE_TAGS = Object.keys(LANGUAGES) as Language[];
/** The languages as options of a choice. */
export const LANGUAGE_OPTIONS = LANGUAGE_TAGS.map((value) => ({ value, label: LANGUAGES[value] }));

export const LANGUAGE_KEY = 'language';

/** The language chosen on this device, else the browser's first preference that we support. */
export function preferredLanguage(): Language {
  const wanted = [localStorage.getItem(LANGUAGE_KEY), ...navigator.languages].map((tag) => (tag ?? '').slice(0, 2));
  return wanted.find((tag): tag is Language => tag in LANGUAGES) ?? 'en';
}
