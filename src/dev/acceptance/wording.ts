import { type DemoPerson, withoutAccents } from '../school/demo-person.ts';
import type { Channel, EventAnswer, Trigger } from './expectations.ts';

/** A text that a message must contain, and its name in findings. */
export type RequiredText = { what: string; in: RegExp };

type Locale = 'en' | 'cs';

export type Titled = { title: string; translations?: { cs?: { title: string } } | null };

/** Characters of a title that an SMS shows. */
const TITLE_IN_SMS = 30;

const SCHOOL_LOCALE: Locale = 'cs';

/** How each message begins, without accents. */
const OPENINGS: Record<Trigger, Record<Locale, RegExp>> = {
  'event.published': { en: /^new( event)?:|\bhello\b/, cs: /^nova akce:|\bdobry den\b/ },
  'event.cancelled': { en: /\bcancelled:/, cs: /\bzruseno:/ },
  'event.postponed': { en: /\b(new date|postponed):/, cs: /\b(novy termin|odlozeno):/ },
  'registration.confirmed': { en: /\bconfirmed:/, cs: /\bpotvrzen[ao]:/ },
  'registration.waitlisted': { en: /\bon the waitlist:/, cs: /\bna cekaci listine:/ },
  'reminder.due': { en: /\breminder:/, cs: /\bpripominka:/ },
};

/** The texts that a message to these readers must contain: language, date, time, names of children, title. */
export function requiredTexts(
  { trigger, event, people }: { trigger: Trigger; event: EventAnswer; people: readonly string[] },
  channel: Channel,
  readers: readonly DemoPerson[],
  about: readonly DemoPerson[],
): RequiredText[] {
  const texts: RequiredText[] = [];
  const must = (what: string, expression: RegExp) => texts.push({ what, in: expression });
  const plainly = (what: string, words: string) => must(what, new RegExp(escaped(plain(words))));
  const locales = new Set(readers.map(({ locale }) => locale ?? SCHOOL_LOCALE));
  const [locale] = locales;
  const at = new Date(event.starts_at);
  if (locale && locales.size === 1) {
    must(`the language ${locale}`, OPENINGS[trigger][locale]);
    if (channel === 'email' || channel === 'in_app') plainly('the date', dateIn(event.timezone, locale, at));
  }
  if (!event.all_day) plainly('the time', timeIn(event.timezone, at));
  const [reader] = readers;
  if (channel === 'email' && !event.all_day && readers.length === 1 && reader?.timezone)
    plainly('the time where the reader is', timeIn(reader.timezone, at));
  if (about.length > 0 && (channel === 'email' || channel === 'push')) {
    const names = about.map(({ name }) => escaped(plain(name)));
    const each = names.map((name) => `(?=.*${name})`).join('');
    const none = names.map((name) => `(?!.*${name})`).join('');
    // A reader who is notified for themselves too needs no names of children.
    const onlyForOthers = readers.every(({ user_id }) => !people.includes(user_id));
    const what = `that it is about ${about.map(({ name }) => name).join(' and ')}`;
    must(what, new RegExp(onlyForOthers ? `^${each}` : `^(?:${each}|${none})`));
  }
  const titles = [...locales].map((one) => titlesOf(event)[one]);
  const shown = titles.map((title) => escaped(plain(channel === 'sms' ? inSms(title) : title)));
  must('the title', new RegExp(shown.join('|')));
  return texts;
}

/** The title of an event in each language. */
export const titlesOf = ({ title, translations }: Titled): Record<Locale, string> => ({
  en: title,
  cs: translations?.cs?.title ?? title,
});

export const inSms = (title: string): string => title.slice(0, TITLE_IN_SMS);

/** Normalises text for searching: lower case, no accents, single spaces. */
export const plain = (text: string): string => withoutAccents(text).toLowerCase().replace(/\s+/g, ' ');

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const timeIn = (timeZone: string, at: Date): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at);

const dateIn = (timeZone: string, locale: Locale, at: Date): string =>
  new Intl.DateTimeFormat(locale === 'cs' ? 'cs-CZ' : 'en-GB', {
    timeZone,
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  }).format(at);
