import { setupI18n } from '@lingui/core';
import { useSyncExternalStore } from 'react';
import type english from './en.ts';
import { LANGUAGE_KEY, type Language } from './languages.ts';

/** Every text there is, by its name; the Czech ones have the same (a test sees to it). */
export type TextId = keyof typeof english;
export type Values = Record<string, string | number>;

const LOADERS: Record<Language, () => Promise<{ default: Record<string, string> }>> = {
  en: () => import('./en.ts'),
  cs: () => import('./cs.ts'),
};

const i18n = setupI18n();
const listeners = new Set<() => void>();

export const language = (): Language => (i18n.locale || 'en') as Language;

/** The tag dates and numbers are written by: English as in Britain, since weeks begin on Monday here. */
export const formatTag = (): string => (language() === 'en' ? 'en-GB' : 'cs-CZ');

/** Fetches the texts of a language and shows them. */
export async function speak(wanted: Language): Promise<void> {
  const { default: messages } = await LOADERS[wanted]();
  i18n.loadAndActivate({ locale: wanted, messages });
  document.documentElement.lang = wanted;
  for (const listener of listeners) listener();
}

/** Changes the language for good on this device. */
export async function chooseLanguage(wanted: Language): Promise<void> {
  localStorage.setItem(LANGUAGE_KEY, wanted);
  await speak(wanted);
}

/** A text in the language of now. Components re-render on a change through `useLanguage` in the layout. */
export const t = (id: TextId, values?: Values): string => i18n._(id, values);

/** The word for a value of the API; one we have no word for yet is shown readably. */
export function word(kind: string, value: string, otherwise = value.replaceAll('_', ' ')): string {
  const id = `${kind}.${value}`;
  return i18n.messages[id] === undefined ? otherwise : i18n._(id);
}

export const useLanguage = (): Language =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, language);
