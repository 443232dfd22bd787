import { expect, test } from 'vitest';
import type { Entry } from '../../../src/web/api/types.ts';
import {
  blocksOf,
  blocksThatFit,
  entriesOn,
  type Placed,
  piecesInWeek,
  piecesThatFit,
  placeEntry,
} from '../../../src/web/calendar/placing.ts';
import { timeOn } from '../../../src/web/calendar/times.ts';
import { loadLanguage } from '../../../src/web/texts/texts.ts';
import { SKIPPED_TIME } from '../support/skipped-time.ts';

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

const SKIPPED = { id: 'skipped', ...SKIPPED_TIME } as Entry;

test('places an entry at the time at which it takes place if a clock change skips the one that was entered', () => {
  expect(placeEntry(SKIPPED, 'Europe/Prague')).toMatchObject({ first: '2027-03-28', start: 210, end: 270 });
});

test('places an entry that is being moved at its new time, also in a zone other than that of the school', () => {
  const moved = { start_date: '2027-03-29', end_date: '2027-03-29', start_time: '10:00', end_time: '11:00' };
  for (const zone of ['Europe/Prague', 'UTC'])
    expect(placeEntry(SKIPPED, zone, moved)).toMatchObject({ first: '2027-03-29', start: 600, end: 660 });
});

/** A timed entry from 23 November on; minutes count from its first midnight. */
const timed = (title: string, start: number, end: number): Placed => ({
  entry: { id: title, title, all_day: false } as Entry,
  first: '2026-11-23',
  last: end > 1440 ? '2026-11-24' : '2026-11-23',
  start,
  end,
});

test('lists the entries of a day by their times on it, after those of the whole day', () => {
  const all = [
    timed('ball', 1320, 1500),
    timed('lesson', 480, 525),
    lasting('trip', 22, 24),
    timed('meeting', 960, 1020),
  ];
  const titles = (day: string) => entriesOn(all, day).map(({ entry }) => entry.title);
  expect(titles('2026-11-23')).toEqual(['trip', 'lesson', 'meeting', 'ball']);
  expect(titles('2026-11-24')).toEqual(['trip', 'ball']);
});

test('leaves room for the text of a block that begins shortly before midnight', () => {
  expect(blocksOf([timed('bell', 1425, 1430)], '2026-11-23')).toMatchObject([{ from: 1410, to: 1440 }]);
});

test('shows so many events side by side as fit, and for each time when more overlap how many others there are', () => {
  const many = ['a', 'b', 'c', 'd'].map((title) => timed(title, 540, 600));
  const few = ['e', 'f', 'g'].map((title) => timed(title, 600, 660));
  const { shown, more } = blocksThatFit(blocksOf([...many, ...few], '2026-11-23'), 3);
  expect(shown.map(({ placed }) => placed.entry.title)).toEqual(['a', 'b', 'e', 'f', 'g']);
  expect(more).toEqual([{ from: 540, to: 600, count: 2 }]);
});
