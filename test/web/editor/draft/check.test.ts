import { expect, it } from 'vitest';
import { check, type Faults, namedFault } from '../../../../src/web/editor/draft/faults.ts';
import { loadLanguage, withOtherTexts } from '../../../../src/web/texts/texts.ts';

const LANGUAGES = ['en', 'cs'] as const;

const EVENT = { title: 'Outing', event_type: 'meeting', start_date: '2026-10-16', end_date: '2026-10-16' };
const question = { id: 'lunch', type: 'choice', label: 'Lunch', options: ['Soup'], required: true };

it.each<[Record<string, unknown>, Faults, Faults]>([
  [
    { title: 'x'.repeat(201) },
    { title: 'Title: Use at most 200 characters.' },
    { title: 'Název: Použijte nejvýše 200 znaků.' },
  ],
  [
    { max_attendees: 2.5, location: { capacity: 2_000_000 } },
    {
      max_attendees: 'Number of places: Enter a whole number.',
      capacity: 'Seats: Enter 1,000,000 or less.',
    },
    {
      max_attendees: 'Počet míst: Zadejte celé číslo.',
      capacity: 'Počet míst k sezení: Zadejte nejvýše 1 000 000.',
    },
  ],
  [
    { max_attendees: 0 },
    { max_attendees: 'Number of places: Enter 1 or more.' },
    { max_attendees: 'Počet míst: Zadejte 1 nebo více.' },
  ],
  [
    { registration_questions: [question] },
    { 'registration_questions.0.options': 'Questions on the registration: Enter at least 2.' },
    { 'registration_questions.0.options': 'Otázky v přihlášce: Zadejte aspoň 2.' },
  ],
])('the form says which limit %o breaks', async (fields, ...expected) => {
  for (const [at, language] of LANGUAGES.entries()) {
    await loadLanguage(language);
    await withOtherTexts(Promise.resolve());
    const faults = Object.entries(check({ ...EVENT, ...fields }));
    const named = faults.map(([field, text]) => [field, namedFault(field, text).replaceAll('\u00a0', ' ')]);
    expect(Object.fromEntries(named)).toEqual(expected[at]);
  }
});
