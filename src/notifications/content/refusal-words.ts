import type { Locale } from '../../people/contact.ts';

/** Why a registration was refused, for each code that people are told of. */
const REFUSALS = {
  event_full: { en: 'All places are taken.', cs: 'Všechna místa jsou obsazená.' },
  registration_closed: { en: 'Registration has closed.', cs: 'Přihlašování už skončilo.' },
  event_cancelled: { en: 'The event was cancelled.', cs: 'Akce byla zrušena.' },
  event_not_published: { en: 'The event takes no registrations now.', cs: 'Na akci se teď nejde přihlásit.' },
  registration_not_available: { en: 'The event needs no registration.', cs: 'Na akci není potřeba se přihlašovat.' },
  validation_failed: {
    en: 'The registration form asks for more. Please fill it in on the page of the event.',
    cs: 'Přihláška se ptá ještě na něco. Vyplňte ji prosím na stránce akce.',
  },
} as const satisfies Record<string, Record<Locale, string>>;

const isExplained = (code: string): code is keyof typeof REFUSALS => Object.hasOwn(REFUSALS, code);

/** The reason behind a code; '' for one without words. */
export const refusalInWords = (code: string, locale: Locale): string =>
  isExplained(code) ? REFUSALS[code][locale] : '';
