export const LANGUAGES = { en: 'English', cs: 'Čeština' } as const;
export type Language = keyof typeof LANGUAGES;

export const LANGUAGE_KEY = 'language';

/** The language that was chosen on this device, else the first the browser asks for that there is. */
export function preferredLanguage(): Language {
  const wanted = [localStorage.getItem(LANGUAGE_KEY), ...navigator.languages].map((tag) => (tag ?? '').slice(0, 2));
  return wanted.find((tag): tag is Language => tag in LANGUAGES) ?? 'en';
}
