import { setupI18n } from '@lingui/core';
import { createStore, useStore } from '../parts/store.ts';
import type acknowledgements from './en/acknowledgements.json';
import type answers from './en/answers.json';
import type dryRun from './en/dry-run.json';
import type editor from './en/editor.json';
import type files from './en/files.json';
import type history from './en/history.json';
import type inbox from './en/inbox.json';
import type messages from './en/messages.json';
import type ops from './en/ops.json';
import type people from './en/people.json';
import type registrations from './en/registrations.json';
import type school from './en/school.json';
import type session from './en/session.json';
import type settings from './en/settings.json';
import type statistics from './en/statistics.json';
import type templates from './en/templates.json';
import type viewAs from './en/view-as.json';
import type visitors from './en/visitors.json';
import type first from './en.ts';
import { LANGUAGE_KEY, type Language } from './languages.ts';

/** Ids of all texts; a test checks that Czech has the same. */
export type TextId = keyof (typeof first &
  typeof acknowledgements &
  typeof answers &
  typeof dryRun &
  typeof editor &
  typeof files &
  typeof history &
  typeof inbox &
  typeof messages &
  typeof ops &
  typeof people &
  typeof registrations &
  typeof school &
  typeof session &
  typeof settings &
  typeof statistics &
  typeof templates &
  typeof viewAs &
  typeof visitors);
export type Values = Record<string, string | number>;

const LOADERS: Record<Language, () => Promise<{ default: Record<string, string> }>> = {
  en: () => import('./en.ts'),
  cs: () => import('./cs.ts'),
};

const i18n = setupI18n();
const languageStore = createStore<Language>('en');

export const language = languageStore.get;

/** Locale of dates and numbers; British English, since weeks begin on Monday. */
export const formatTag = (): string => (language() === 'en' ? 'en-GB' : 'cs-CZ');

/** Loads the texts of a language and renders the pages in it. */
export async function loadLanguage(wanted: Language): Promise<void> {
  const { default: messages } = await LOADERS[wanted]();
  i18n.load(wanted, messages);
  i18n.activate(wanted);
  document.documentElement.lang = wanted;
  languageStore.set(wanted);
}

/** Adds the texts of one page, which come with its script so that the first page doesn't wait for them. */
export function addTexts(texts: Record<Language, Record<string, string>>): void {
  i18n.load(texts);
}

/** Changes the language and remembers it on this device. */
export async function chooseLanguage(wanted: Language): Promise<void> {
  localStorage.setItem(LANGUAGE_KEY, wanted);
  await loadLanguage(wanted);
}

/** A text in the current language. `useLanguage` in the layout re-renders the page when the language changes. */
export const t = (id: TextId, values?: Values): string => i18n._(id, values);

/** Label of an API value; a value without a translation appears with spaces for underscores. */
export function word(kind: string, value: string, otherwise = value.replaceAll('_', ' ')): string {
  const id = `${kind}.${value}`;
  return i18n.messages[id] === undefined ? otherwise : i18n._(id);
}

export const useLanguage = (): Language => useStore(languageStore);
