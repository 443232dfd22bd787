import { expect, test } from 'vitest';
import type { Entry } from '../../../src/web/api/types.ts';
import { type Placed, piecesInWeek, piecesThatFit } from '../../../src/web/calendar/placing.ts';
import { timeOn } from '../../../src/web/calendar/times.ts';
import { loadLanguage } from '../../../src/web/texts/texts.ts';

/** An all-day entry of the week from Monday 23 November. */
function lasting(title: string, first: number, last = first): Placed {
  const entry = { id: title, title, all_day: true, featured: false } as Entry;
  return { entry, first: `2026-11-${first}`, last: `2026-11-${last}`, start: 0, end: 1440 };
}

const fitting = (rows: number, ...all: Placed[]): string[] =>
  piecesThatFit(piecesInWeek(all, '2026-11-23'), rows).map(({ placed }) => placed.entry.title);

test('shows as many entries of a day as lines fit', () => {
  expect(fitting(2, lasting('a', 23), lasting('b', 23))).toEqual(['a', 'b']);
});

test('keeps the last line of a day with more entries for “+n more”, and only of that day', () => {
  const monday = [lasting('a', 23), lasting('b', 23), lasting('c', 23)];
  expect(fitting(2, ...monday, lasting('d', 24), lasting('e', 24))).toEqual(['a', 'd', 'e']);
});

test('hides an entry of several days in the last line if one of its days has more entries', () => {
  const exhibition = lasting('exhibition', 24, 26);
  expect(fitting(2, lasting('trip', 23, 25), exhibition, lasting('exam', 25))).toEqual(['trip']);
  expect(fitting(3, lasting('trip', 23, 25), exhibition, lasting('exam', 25))).toEqual(['trip', 'exhibition', 'exam']);
});

test('names the start of an entry on the first of several days, and the end on the last', async () => {
  await loadLanguage('en');
  const camp = { ...lasting('camp', 23, 25), entry: { all_day: false } as Entry, start: 22 * 60, end: 54 * 60 };
  expect([23, 24, 25].map((day) => timeOn(camp, `2026-11-${day}`))).toEqual(['22:00', null, 'until 06:00']);
});
