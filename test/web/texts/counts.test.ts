import { expect, it } from 'vitest';
import type { Language } from '../../../src/web/texts/languages.ts';
import { loadLanguage, type TextId, t, withOtherTexts } from '../../../src/web/texts/texts.ts';

const MANY_LEAVE =
  '2 z celkem 8 osob už v souboru nejsou. Je soubor úplný? Kdo odešel, nedostává zprávy; historie zůstává.';

it.each<[Language, TextId, Record<string, number>, string]>([
  ['en', 'registrations.takenOf', { places: 1 }, 'of 1 place taken'],
  ['en', 'event.placesLeft', { left: 1, all: 1 }, '1 of 1 place left'],
  ['cs', 'import.manyLeave', { left: 2, of: 8 }, MANY_LEAVE],
  ['en', 'acknowledgements.of', { all: 10, confirmed: 1 }, 'of 10 people has confirmed'],
  ['en', 'acknowledgements.of', { all: 1, confirmed: 0 }, 'of 1 person have confirmed'],
  ['cs', 'registrations.takenOf', { places: 1 }, 'z celkem 1 místa obsazeno'],
  ['cs', 'registrations.takenOf', { places: 2700 }, 'z celkem 2 700 míst obsazeno'],
  [
    'cs',
    'waitlist.now',
    { taken: 1, places: 1, waiting: 2 },
    'Obsazeno 1 z celkem 1 místa. Na čekací listině jsou 2 lidé.',
  ],
  ['cs', 'acknowledgements.of', { all: 10, confirmed: 1 }, 'z celkem 10 osob potvrdila přečtení'],
  ['cs', 'acknowledgements.of', { all: 10, confirmed: 3 }, 'z celkem 10 osob potvrdily přečtení'],
  ['cs', 'acknowledgements.of', { all: 10, confirmed: 5 }, 'z celkem 10 osob potvrdilo přečtení'],
  ['cs', 'schoolMessage.addressed', { people: 3, addressed: 10 }, 'Dostanou ji 3 z celkem 10 osob.'],
  ['cs', 'schoolMessage.addressed', { people: 5, addressed: 10 }, 'Dostane ji 5 z celkem 10 osob.'],
])('the count in %s of %s with %o reads right', async (language, id, values, expected) => {
  await loadLanguage(language);
  await withOtherTexts(Promise.resolve());
  expect(t(id, values).replaceAll('\u00a0', ' ')).toBe(expected);
});
