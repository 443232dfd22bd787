import { expect, test } from 'vitest';
import { inLanguage, searchWordsOf } from '../../../src/events/event.ts';
import { edited } from '../../../src/events/rules/edits.ts';
import { faultsOf } from '../../../src/events/rules/validation.ts';
import { anEvent, at } from '../../support/builders.ts';

const CZECH = { title: 'Podzimní koncert', description: 'Hudba a punč.' };
const event = anEvent({ description: 'Music and punch.', translations: { cs: CZECH } });

test('a reader gets the texts of their language, and others the texts as written', () => {
  expect(inLanguage(event, 'cs')).toMatchObject({ ...CZECH, id: event.id });
  for (const locale of ['en', null] as const) expect(inLanguage(event, locale)).toBe(event);
  expect(inLanguage(anEvent({ translations: undefined as never }), 'cs').title).toBe('Autumn concert');
});

test.each([null, undefined, ''])('a translation without a description (%j) has the one as written', (description) => {
  const shown = inLanguage({ ...event, translations: { cs: { title: 'Koncert', description } } }, 'cs');
  expect(shown).toMatchObject({ title: 'Koncert', description: 'Music and punch.' });
});

test.each([
  [{ cs: CZECH, en: { title: 'Concert' } }, []],
  [{ en: { title: 'Concert', description: 'with\u0007bell' } }, ['/translations/en/description']],
  [{ en: { description: 'no title' } as never }, ['/translations/en/title']],
  [{ en: { title: 'Concert', description: 'x'.repeat(70_000) } }, ['/translations']],
])('%o breaks the rules of texts at %j', (translations, pointers) => {
  expect(faultsOf(anEvent({ translations })).map(({ pointer }) => pointer)).toEqual(pointers);
});

test('an edit of a translation is recorded and notifies no one, and null removes a language', () => {
  const made = edited(
    event,
    { translations: { cs: null, en: { title: 'Concert' } } },
    { user_id: 'x' },
    at('2026-09-01'),
  );
  expect(made).toMatchObject({ facts: [{ type: 'event.edited', data: { fields: ['translations'] } }] });
  expect('after' in made && made.after.translations).toEqual({ en: { title: 'Concert' } });
});

test('search finds an event by its title in each language', () => {
  expect(searchWordsOf(event)).toEqual(expect.arrayContaining(['autumn', 'podzimni']));
});
