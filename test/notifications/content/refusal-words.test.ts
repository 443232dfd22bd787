import { expect, test } from 'vitest';
import { refusalInWords } from '../../../src/notifications/content/event-words.ts';
import { contentFor, factOf } from '../../channels/templates/texts-samples.ts';

test.each([
  ['event_full', 'All places are taken.', 'Všechna místa jsou obsazená.'],
  ['registration_closed', 'Registration has closed.', 'Přihlašování už skončilo.'],
  ['event_cancelled', 'The event was cancelled.', 'Akce byla zrušena.'],
  [
    'event_postponed',
    'The event was postponed. We will write to you when you can register for the new date.',
    'Akce byla odložena. Napíšeme Vám, až se budete moci přihlásit na nový termín.',
  ],
])('a refusal with the code %s is explained in the reader’s language', (code, en, cs) => {
  const fact = factOf('registration.refused', { user_id: 'eva', code });
  expect(contentFor('registration.refused', { fact }).event.reason).toBe(en);
  expect(contentFor('registration.refused', { fact, locale: 'cs' }).event.reason).toBe(cs);
});

test('a code of a later version has no words', () => {
  expect(refusalInWords('moon_full', 'en')).toBe('');
});
